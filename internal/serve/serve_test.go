package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/door"
	"winnow/internal/metrics"
	"winnow/internal/prune"
	"winnow/internal/recall"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const token = "0123456789abcdef0123456789abcdef"

// rig is a running server on a socket and a TCP port.
type rig struct {
	*Server
	url    string
	sock   string
	counts *metrics.Counters
	store  *recall.Store
	done   chan error
}

func start(t *testing.T, change func(*Options)) *rig {
	t.Helper()
	dir := t.TempDir()
	store, err := recall.Open(filepath.Join(dir, "recall.db"), recall.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{sock: filepath.Join(dir, "s"), counts: &metrics.Counters{}, store: store, done: make(chan error, 1)}
	o := Options{Token: token, Version: "test", Store: store, Counters: r.counts}
	if change != nil {
		change(&o)
	}
	r.Server = New(o)
	r.SetPruner(prune.New(prune.Fake{}, prune.Options{AllowNothing: true, Live: store.Live}), "fake", "ready")
	r.SetMode(door.Active, Proven{})
	unix, err := net.Listen("unix", r.sock)
	if err != nil {
		t.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.url = "http://" + tcp.Addr().String()
	go func() { r.done <- r.Serve(context.Background(), unix, tcp) }()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		r.Stop()
		if err := <-r.done; err != nil {
			t.Errorf("Serve = %v", err)
		}
		store.Close()
	})
	return r
}

func (r *rig) post(t *testing.T, path, body string, header ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequest("POST", r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(api.TokenHeader, token)
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func listing(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "entry %04d of a listing that nobody asked for\n", i)
	}
	return b.String()
}

func request(t *testing.T, change func(*api.ResultRequest)) string {
	t.Helper()
	req := api.ResultRequest{
		Session: "s", Loop: "main", ToolUseID: "toolu_1", Tool: "Bash", Input: json.RawMessage(`{"command":"ls -R"}`),
		Texts: []string{listing(200)}, Rows: []api.Row{{Text: "Which file holds the parser?", Door: "prompt"}},
	}
	if change != nil {
		change(&req)
	}
	b, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (r *rig) offer(t *testing.T) {
	t.Helper()
	if code, body := r.post(t, api.PathOffer, `{"session":"s","loop":"main"}`); code != 200 || !strings.Contains(body, `"mode":"active"`) {
		t.Fatalf("offer = %d %s", code, body)
	}
}

func TestResultIsPrunedAndRecalled(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	_, body := r.post(t, api.PathResult, request(t, nil))
	var reply api.ResultReply
	if err := json.Unmarshal([]byte(body), &reply); err != nil {
		t.Fatalf("%v in %q", err, body)
	}
	if len(reply.Texts) != 1 || reply.Texts[0] == nil || len(reply.Keys) != 1 {
		t.Fatalf("reply = %s, want one text and one key", body)
	}
	_, body = r.post(t, api.PathRecall, `{"key":"`+reply.Keys[0]+`","session":"s","loop":"main"}`)
	var got api.RecallReply
	if err := json.Unmarshal([]byte(body), &got); err != nil || !got.Found {
		t.Fatalf("recall = %s, %v", body, err)
	}
	lines := strings.Split(*reply.Texts[0], "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "<<ccr:"+reply.Keys[0]) {
			lines[i] = got.Text
		}
	}
	if strings.Join(lines, "\n") != listing(200) {
		t.Errorf("text and recall do not make the original")
	}
	_, body = r.post(t, api.PathLive, `{"keys":["`+reply.Keys[0]+`","aaaaaaaaaaaaaaaaaaaaaaaa"]}`)
	if want := `{"live":["` + reply.Keys[0] + `"]}`; body != want {
		t.Errorf("live = %s, want %s", body, want)
	}
	if st := r.status(); st.Counts["keys.pruned"] != 1 || st.Counts["keys.recalled"] != 1 {
		t.Errorf("counts = %v, want one key pruned and recalled", st.Counts)
	}
}

// Each result and each recall is handed to the decision log, misses among them.
func TestDecisionsAreHandedOn(t *testing.T) {
	var mu sync.Mutex
	var got []string
	r := start(t, func(o *Options) {
		o.Kind = func(prune.Tool) string { return "shell" }
		o.Decided = func(e decisions.Entry) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, fmt.Sprintf("%s|%s|%s|%s|%d keys|miss %v", e.Event, e.Kind, e.Mode, e.Reason, len(e.Keys), e.Miss))
		}
	})
	r.offer(t)
	_, body := r.post(t, api.PathResult, request(t, nil))
	var reply api.ResultReply
	if err := json.Unmarshal([]byte(body), &reply); err != nil || len(reply.Keys) != 1 {
		t.Fatalf("reply = %s, %v", body, err)
	}
	r.post(t, api.PathRecall, `{"key":"`+reply.Keys[0]+`","session":"s","loop":"main"}`)
	r.post(t, api.PathRecall, `{"key":"no key"}`)
	r.SetMode(door.Shadow, Proven{})
	r.post(t, api.PathResult, request(t, func(q *api.ResultRequest) { q.Rows = nil }))
	r.SetMode(door.Off, Proven{})
	r.post(t, api.PathResult, request(t, nil))
	mu.Lock()
	defer mu.Unlock()
	want := []string{"|shell|active||1 keys|miss false", "recall||||1 keys|miss false", "recall||||0 keys|miss true", "|shell|shadow|no-task|0 keys|miss false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}

// Where hiding would be wrong, every text stays as it is.
func TestResultStays(t *testing.T) {
	for _, c := range []struct {
		name   string
		mode   string
		offer  bool
		change func(*api.ResultRequest)
	}{
		{"the loop has no recall tool", door.Active, false, nil},
		{"shadow", door.Shadow, true, nil},
		{"off", door.Off, true, nil},
		{"no request known", door.Active, true, func(q *api.ResultRequest) { q.Rows = nil }},
		{"a task notification is no request", door.Active, true, func(q *api.ResultRequest) { q.Rows[0].Origin = "task-notification" }},
		{"failed tool", door.Active, true, func(q *api.ResultRequest) { q.Failed = true }},
		{"tool outside the set", door.Active, true, func(q *api.ResultRequest) { q.Tool = "Agent" }},
		{"the preview of a file that is not ours", door.Active, true, func(q *api.ResultRequest) {
			q.Texts[0] = "<persisted-output>\nOutput too large (175.8KB). Full output saved to: /etc/passwd\n\nPreview (first 2KB):\n" + listing(60) + "</persisted-output>"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, nil)
			r.SetMode(c.mode, Proven{})
			if c.offer {
				r.store.Offer("s", "main")
			}
			_, body := r.post(t, api.PathResult, request(t, c.change))
			var reply api.ResultReply
			if err := json.Unmarshal([]byte(body), &reply); err != nil {
				t.Fatalf("%v in %q", err, body)
			}
			for _, text := range reply.Texts {
				if text != nil {
					t.Errorf("text changed: %.200q", *text)
				}
			}
			if reply.Mode != c.mode || len(reply.Keys) != 0 {
				t.Errorf("reply = %s", body)
			}
		})
	}
}

// What cannot be stored is not hidden.
func TestStoreFailureKeepsTheText(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	r.store.Close()
	_, body := r.post(t, api.PathResult, request(t, nil))
	if strings.Contains(body, "<<ccr:") {
		t.Errorf("hidden without a store: %.200s", body)
	}
	if n := r.counts.Snapshot()["store.failed"]; n == 0 {
		t.Error("the failure is not counted")
	}
}

func TestRefused(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	for _, c := range []struct {
		name   string
		header []string
		code   int
	}{
		{"no token", []string{api.TokenHeader, ""}, 401},
		{"wrong token", []string{api.TokenHeader, strings.Repeat("0", 32)}, 401},
		{"web page", []string{"Origin", "http://127.0.0.1"}, 403},
		{"cross-site", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"name that begins like loopback", []string{"Host", "127.0.0.1.attacker.example"}, 403},
		{"127 prefix", []string{"Host", "127.attacker.example:80"}, 403},
		{"loopback without the port", []string{"Host", "127.0.0.1"}, 403},
		{"loopback with another port", []string{"Host", "127.0.0.1:1"}, 403},
		{"a user before the name", []string{"Host", "user@" + r.url[len("http://"):]}, 403},
		{"no JSON", []string{"Content-Type", "text/plain"}, 415},
		{"form", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
	} {
		t.Run(c.name, func(t *testing.T) {
			if code, body := r.post(t, api.PathResult, request(t, nil), c.header...); code != c.code || body != "" {
				t.Errorf("result = %d %.80q, want %d and nothing", code, body, c.code)
			}
			if code, body := r.post(t, api.PathHook, `{}`, c.header...); code != 200 || body != "" {
				t.Errorf("hook = %d %.80q, want an empty 200", code, body)
			}
			if code, _ := r.post(t, api.PathStop, `{}`, c.header...); code != c.code {
				t.Errorf("stop = %d, want %d", code, c.code)
			}
		})
	}
}

func TestMalformed(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	for _, c := range []struct{ name, body string }{
		{"empty", ""},
		{"no JSON", "hello"},
		{"array", "[1,2]"},
		{"number", "7"},
		{"null", "null"},
		{"cut off", request(t, nil)[:200]},
		{"wrong types", `{"session":7,"texts":"x"}`},
		{"deep", strings.Repeat("[", 100_000)},
		{"not UTF-8", "{\"session\":\"\xff\"}"},
		{"half a surrogate pair", `{"session":"s","loop":"main","tool":"Bash","texts":["` + `\ud83d` + strings.Repeat("x", 2000) + `"]}`},
		{"null texts", `{"session":"s","loop":"main","tool":"Bash","texts":[null]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{api.PathHook, api.PathResult, api.PathEarly, api.PathOffer, api.PathRecall, api.PathLive} {
				code, body := r.post(t, path, c.body)
				if code != 200 || strings.Contains(body, "_lines_offloaded") {
					t.Errorf("%s = %d %.100q", path, code, body)
				}
			}
		})
	}
	if n := r.counts.Snapshot()["panics"]; n != 0 {
		t.Errorf("%d panics", n)
	}
}

func TestOversizedBody(t *testing.T) {
	r := start(t, nil)
	code, body := r.post(t, api.PathHook, `{"x":"`+strings.Repeat("y", MaxBody)+`"}`)
	if code != 200 || body != "" {
		t.Errorf("oversized hook post = %d %.80q, want an empty 200", code, body)
	}
}

// However much a stranger sends: the answer comes, and nothing is broken off.
func TestOversizedStranger(t *testing.T) {
	r := start(t, nil)
	code, body := r.post(t, api.PathHook, strings.Repeat("y", 3*MaxBody), api.TokenHeader, "none")
	if code != 200 || body != "" {
		t.Errorf("stranger's post = %d %.80q, want an empty 200", code, body)
	}
}

func TestNamesThatAreOurs(t *testing.T) {
	r := start(t, nil)
	for _, name := range []string{"127.0.0.1", "localhost", "LOCALHOST", "[::1]"} {
		host := strings.Replace(r.url[len("http://"):], "127.0.0.1", name, 1)
		if code, _ := r.post(t, api.PathOffer, `{}`, "Host", host); code != 200 {
			t.Errorf("Host %s = %d, want 200", host, code)
		}
	}
}

// A browser's question before a post is no hook post.
func TestPreflightIsRefused(t *testing.T) {
	r := start(t, nil)
	req, err := http.NewRequest(http.MethodOptions, r.url+api.PathHook, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://attacker.example")
	req.Header.Set("Access-Control-Request-Method", "POST")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 403 || resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("preflight = %d %v, want 403 and no leave", resp.StatusCode, resp.Header)
	}
}

func TestSocketNeedsTheToken(t *testing.T) {
	r := start(t, nil)
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", r.sock)
	}}
	defer tr.CloseIdleConnections()
	for tok, want := range map[string]int{"": 401, token: 200} {
		req, _ := http.NewRequest("GET", "http://any.name"+api.PathStatus, bytes.NewReader(nil))
		req.Header.Set(api.TokenHeader, tok)
		resp, err := tr.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("status with token %q = %d, want %d", tok, resp.StatusCode, want)
		}
	}
}

func TestPanicIsRecovered(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	r.SetPruner(nil, "", "")
	r.set(func(c *current) { c.pruner = new(prune.Pruner); c.mode = "?" })
	for range 2 { // and the next request is served
		if code, _ := r.post(t, api.PathResult, request(t, nil)); code != 200 {
			t.Errorf("result = %d, want 200", code)
		}
	}
}

func TestIdleExit(t *testing.T) {
	store, err := recall.Open(filepath.Join(t.TempDir(), "recall.db"), recall.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Token: token, Store: store, Idle: 20 * time.Millisecond})
	if err := s.Serve(context.Background(), ln); err != nil { // returns by itself
		t.Errorf("Serve = %v, want nil", err)
	}
}
