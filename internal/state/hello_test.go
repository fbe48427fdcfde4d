package state

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"winnow/internal/api"
)

func TestHellos(t *testing.T) {
	d := Dir(t.TempDir())
	if got, err := d.ReadHellos(); len(got) != 0 || err == nil {
		t.Errorf("ReadHellos = %v, %v, want none and an error", got, err)
	}
	if err := os.WriteFile(d.Hello(), []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	add := func(session, client string) {
		t.Helper()
		at = at.Add(time.Minute)
		if err := d.AddHello(api.Hello{HelloRequest: api.HelloRequest{Session: session, Client: client}, At: at}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		add(fmt.Sprint("s", i), "2.1.400")
	}
	add("s30", "2.1.401")
	add("long", strings.Repeat("x", 5000))
	got, err := d.ReadHellos()
	if err != nil || len(got) != maxHellos {
		t.Fatalf("ReadHellos = %d, %v, want %d", len(got), err, maxHellos)
	}
	if got[0].Session != "long" || len(got[0].Client) != 300 {
		t.Errorf("first = %s with %d bytes, want the newest, cut", got[0].Session, len(got[0].Client))
	}
	if got[1].Session != "s30" || got[1].Client != "2.1.401" || got[2].Session != "s39" || !got[2].At.Equal(at.Add(-2*time.Minute)) {
		t.Errorf("then %+v and %+v, want s30 once, as it said last, and s39", got[1], got[2])
	}
	if fi, err := os.Stat(d.Hello()); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v, want 0600", fi.Mode(), err)
	}
}
