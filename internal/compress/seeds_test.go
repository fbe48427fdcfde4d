package compress_test

import (
	"fmt"
	"strings"
)

// seeds are small texts of every kind.
func seeds() []string {
	var tests, search, list, service, diff strings.Builder
	for i := range 40 {
		fmt.Fprintf(&tests, "=== RUN   TestOrder%d\n    order_test.go:%d: made\n--- PASS: TestOrder%d (0.00s)\n", i, i, i)
		fmt.Fprintf(&search, "src/shop/order%d.go:%d:\tprice := order.Price(%d)\n", i%4, i+1, i)
		fmt.Fprintf(&list, "node_modules/left/lib/part%d.js\n", i)
		fmt.Fprintf(&service, "2026-06-19T21:04:%02dZ INFO request id=%d served from cache\n", i, i*7)
		fmt.Fprintf(&diff, "@@ -%d,9 +%d,9 @@ func f() {\n a\n b\n c\n d\n-old\n+new\n e\n f\n g\n h\n", i*20+1, i*20+1)
	}
	return []string{
		"", "\n", "a\n", "\xff\n\xff\n\xff\n", strings.Repeat("x\n", 30), strings.Repeat("\n", 30),
		tests.String() + "PASS\nok  \tshop/order\t0.4s\n", search.String(), "README.md\n" + list.String() + "go.mod\n", service.String(),
		"diff --git a/order.go b/order.go\n--- a/order.go\n+++ b/order.go\n" + diff.String(), service.String() + service.String(),
		"Downloading a\rDownloading b\rError: no such host\rDone\n\x1b[31mred\x1b[0m\n",
	}
}
