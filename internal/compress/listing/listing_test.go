package listing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/compress"
	"winnow/internal/compress/compresstest"
	"winnow/internal/prune/detect"
)

func view(in compress.Input) string {
	in.Kind = detect.Listing
	return compresstest.View(Editor{}, in)
}

func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", string(rune('a'+i%26))+strings.Repeat("x", i/26))
	}
	return b.String()
}

func TestCuts(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"find", "./go.mod\n" + lines(20, "./node_modules/left/%s.js") + "./src/main.go\n",
			"./go.mod\n./node_modules/left/a.js\n[19 entries below node_modules/left: 19 .js]\n./src/main.go\n"},
		{"ls -R", ".:\nbuild\nsrc\n\n./build:\n" + lines(20, "%s.o") + "\n./src:\nmain.c\n",
			".:\nbuild\nsrc\n\n./build:\na.o\n[19 entries below build: 19 .o]\n\n./src:\nmain.c\n"},
		{"ls -l", "total 80\n" + lines(20, "-rw-r--r-- 1 me me   12 Nov 30 10:00 %s.go"), "total 80\n" + lines(20, "-rw-r--r-- 1 me me   12 Nov 30 10:00 %s.go")},
		{"tree", ".\n├── README.md\n├── node_modules\n│   └── left\n" + lines(20, "│       ├── %s.js") + "└── src\n    └── main.go\n",
			".\n├── README.md\n├── node_modules\n│   └── left\n[20 entries below node_modules/left: 20 .js]\n└── src\n    └── main.go\n"},
		{"a series", "README.md\n" + series40("shots/img%03d.png") + "main.go\n",
			"README.md\nshots/img000.png\nshots/img001.png\n[36 entries below shots: 36 .png]\nshots/img038.png\nshots/img039.png\nmain.go\n"},
		{"other files stay", lines(40, "src/%s.go"), lines(40, "src/%s.go")},
		{"prose", lines(40, "It was %s that said so."), lines(40, "It was %s that said so.")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, view(compress.Input{Text: tc.in})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func series40(format string) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

func TestAskedFor(t *testing.T) {
	in := lines(20, "node_modules/left/%s.js") + "node_modules/left/price_table.js\n"
	if got := view(compress.Input{Text: in, Command: "ls node_modules/left"}); got != in {
		t.Errorf("a folder that the command names is cut:\n%s", got)
	}
	if got := view(compress.Input{Text: in, Query: "who reads price_table?"}); !strings.Contains(got, "price_table.js") {
		t.Errorf("what the task names is gone:\n%s", got)
	}
}
