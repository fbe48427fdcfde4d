package eval

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
)

var update = flag.Bool("update", false, "rewrite the expected report")

// drawnReport has all that a report can have: parts, a curve, bounds.
func drawnReport(t testing.TB) *Report {
	t.Helper()
	quiet := log("quiet")
	quiet.Tool.Name = "Task"
	quiet.Group = "a <repository> & more"
	scores := map[string]prune.Scores{"first": scored(60, 5), "second": scored(60, 40), "quiet": scored(60, 3)}
	scores["second"].Line[10] = nan
	r, err := Run(t.Context(), seq(log("first"), log("second"), quiet), Recorded(scores), Options{
		Judge: "a <judge>", Labels: Labels{"first": label(t, "5,20"), "second": label(t, "40"), "quiet": label(t, "3"), "absent": {}},
		Second: Labels{"first": label(t, "5,20")},
		Prune:  prune.Options{Drop: 0.1, Keep: 0.5}, Drops: []float64{0.005, 0.1}, Parts: true, Resamples: 100, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	if err := drawnReport(t).Write(&b); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "report.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if err := drawnReport(t).Write(full{}); !errors.Is(err, errFull) {
		t.Errorf("error of a full disk = %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// shapes counts a picture's elements, reading it as XML.
func shapes(t *testing.T, svg string) map[string]int {
	t.Helper()
	n := map[string]int{}
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			n[e.Name.Local]++
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestPlots(t *testing.T) {
	// Three panels (all, Bash, other). Bins: 0-0.02 and 0.5-1 hold lines in each.
	// Curve: at 0.1 only, in all and in Bash.
	want := map[string]int{"reliability.svg": 6, "loss.svg": 2, "hurt.svg": 2}
	r := drawnReport(t)
	plots := r.Plots()
	if len(plots) != len(want) {
		t.Errorf("%d plots, want %d", len(plots), len(want))
	}
	for _, p := range plots {
		var b strings.Builder
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		n := shapes(t, b.String())
		if n["svg"] != 1 || n["circle"] != want[p.Name] || n["title"] != want[p.Name] {
			t.Errorf("%s: %d dots, %d titles, want %d", p.Name, n["circle"], n["title"], want[p.Name])
		}
		if !strings.Contains(b.String(), "a &lt;judge&gt;") {
			t.Errorf("%s does not name the judge", p.Name)
		}
	}
	r.All.Curve = nil
	if got := r.Plots(); len(got) != 1 {
		t.Errorf("without a curve there are %d plots, want 1", len(got))
	}
}

func TestShares(t *testing.T) {
	for _, tc := range []struct {
		name string
		most float64
		max  float64
	}{{"a small share", 0.004, 0.005}, {"on a tick", 0.05, 0.05}, {"above a tick", 0.051, 0.1}, {"all", 1, 1}, {"nothing", 0, 0.001}} {
		a := shares(tc.most, true)
		if a.max != tc.max {
			t.Errorf("%s: axis ends at %v, want %v", tc.name, a.max, tc.max)
		}
		if a.at(0, 10) != 0 || a.at(a.max, 10) != 10 || a.at(2*a.max, 10) != 10 || a.at(a.max/4, 10) != 5 {
			t.Errorf("%s: a root axis has 0, a quarter and the end at %v, %v, %v", tc.name, a.at(0, 10), a.at(a.max/4, 10), a.at(a.max, 10))
		}
	}
}
