package serve

import (
	"encoding/json"
	"slices"
	"testing"

	"winnow/internal/api"
)

func TestHello(t *testing.T) {
	var got []api.HelloRequest
	r := start(t, func(o *Options) { o.Greeted = func(h api.HelloRequest) { got = append(got, h) } })
	for _, body := range []string{`{"session":"s","client":"2.1.400","root":"/p"}`, `{"client":"2.1.400"}`} {
		if code, reply := r.post(t, api.PathHello, body); code != 200 || reply != `{"mode":"active"}` {
			t.Errorf("hello %s = %d %s, want the mode", body, code, reply)
		}
	}
	if want := []api.HelloRequest{{Session: "s", Client: "2.1.400", Root: "/p"}}; !slices.Equal(got, want) {
		t.Errorf("greeted = %+v, want %+v", got, want)
	}
}

// A judge that cannot start is said to the person, and only then.
func TestNotice(t *testing.T) {
	r := start(t, nil)
	for state, want := range map[string]string{
		"loading": "", "ready": "",
		"failed: no memory":                  "winnow: no memory; `winnow doctor` says what to do",
		"ready; the lexical judge stands in": "winnow: the lexical judge stands in; `winnow doctor` says what to do",
	} {
		r.set(func(c *current) { c.judgeState = state })
		_, body := r.post(t, api.PathResult, request(t, nil))
		var reply api.ResultReply
		if err := json.Unmarshal([]byte(body), &reply); err != nil || reply.Notice != want {
			t.Errorf("with judge %q: notice = %q, %v, want %q", state, reply.Notice, err, want)
		}
	}
}
