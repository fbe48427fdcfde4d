package serve

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"winnow/internal/api"
)

// repeated is a log that folds.
var repeated = strings.Repeat("2026-06-19T21:04:11Z INFO  cache hit for key=session:abc123 (ttl 300s)\n", 40)

func TestCompressAndRetrieve(t *testing.T) {
	r := start(t, nil)
	ask := func(path string, in, out any) int {
		t.Helper()
		body, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		code, text := r.post(t, path, string(body))
		if code == http.StatusOK {
			if err := json.Unmarshal([]byte(text), out); err != nil {
				t.Fatalf("%s answered %q: %v", path, text, err)
			}
		}
		return code
	}
	var out api.CompressReply
	if code := ask(api.PathCompress, api.CompressRequest{ID: "x", Text: repeated}, &out); code != 200 || out.Text == repeated || out.Kind != "log" || out.Original == "" || out.Before <= out.After {
		t.Fatalf("%d %+v", code, out)
	}
	var back api.RetrieveReply
	if ask(api.PathRetrieve, api.RetrieveRequest{Key: out.Original}, &back); !back.Found || back.Text != repeated {
		t.Errorf("retrieved %+v", back)
	}
	back = api.RetrieveReply{}
	if ask(api.PathRetrieve, api.RetrieveRequest{Key: strings.Repeat("0", 24)}, &back); back.Found || !strings.Contains(back.Note, "never issued") {
		t.Errorf("a key that nobody issued: %+v", back)
	}
	if code := ask(api.PathCompress, api.CompressRequest{Text: repeated, Kind: "novel"}, &out); code != http.StatusBadRequest {
		t.Errorf("a kind that is none: %d", code)
	}
	if code, _ := r.post(t, api.PathCompress, "{"); code != http.StatusBadRequest {
		t.Errorf("no JSON: %d", code)
	}
	out = api.CompressReply{}
	if ask(api.PathCompress, api.CompressRequest{Text: repeated, Role: "system"}, &out); out.Text != repeated || out.Untouched != "role" {
		t.Errorf("a system text: %+v", out)
	}
	req, _ := http.NewRequest("GET", r.url+api.PathStats, nil)
	req.Header.Set(api.TokenHeader, token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var st api.CompressStats
	if err := json.NewDecoder(resp.Body).Decode(&st); err != nil {
		t.Fatal(err)
	}
	var sums struct{ Blocks, Changed int }
	if err := json.Unmarshal(st.Reducer, &sums); err != nil || sums.Blocks != 2 || sums.Changed != 1 || st.Counts["compress.blocks"] != 2 {
		t.Errorf("sums %+v, counts %v, %v", sums, st.Counts, err)
	}
}

func TestCompressWithoutAStore(t *testing.T) {
	r := start(t, func(o *Options) { o.Store = nil })
	body, _ := json.Marshal(api.CompressRequest{Text: repeated})
	_, text := r.post(t, api.PathCompress, string(body))
	var out api.CompressReply
	if err := json.Unmarshal([]byte(text), &out); err != nil || out.Untouched != "" || out.Original != "" {
		t.Errorf("%v %+v: a fold needs no store", err, out)
	}
	body, _ = json.Marshal(api.RetrieveRequest{Key: strings.Repeat("0", 24)})
	if _, text := r.post(t, api.PathRetrieve, string(body)); !strings.Contains(text, "cannot be opened") {
		t.Errorf("retrieve answered %q", text)
	}
}
