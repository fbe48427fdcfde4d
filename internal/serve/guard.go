package serve

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"winnow/internal/api"
	"winnow/internal/peer"
)

type connKey struct{}

// MaxBody bounds one request; the client itself shows at most some 256 KB, and
// saved outputs come by path.
const MaxBody = 32 << 20

// maxInFlight bounds the bodies being worked on together; over it a result
// passes through at once.
const maxInFlight = 128 << 20

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+api.PathHook, s.hook)
	mux.HandleFunc("POST "+api.PathResult, s.result)
	mux.HandleFunc("POST "+api.PathEarly, s.early)
	mux.HandleFunc("POST "+api.PathHello, s.hello)
	mux.HandleFunc("POST "+api.PathOffer, s.offer)
	mux.HandleFunc("POST "+api.PathRecall, s.recall)
	mux.HandleFunc("POST "+api.PathLive, s.live)
	mux.HandleFunc("GET "+api.PathStatus, s.statusPage)
	mux.HandleFunc("POST "+api.PathStop, s.stopPage)
	mux.HandleFunc("POST "+api.PathClean, s.clean)
	mux.HandleFunc("POST "+api.PathCheck, s.check)
	return s.guard(mux)
}

// guard lets in who knows the token, came by the right name and is no web
// page, and recovers the one panic that nobody else caught. Whatever it turns
// away from the hook path gets an empty 200: Claude Code goes on with its result.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.Add(1)
		began := time.Now()
		defer func() {
			s.o.Counters.Add("ns.handlers", time.Since(began).Nanoseconds())
			s.active.Add(-1)
			s.touch()
		}()
		defer func() {
			if p := recover(); p != nil {
				s.o.Counters.Add("panics", 1)
				s.o.Log.Error("panic in a handler", "path", r.URL.Path, "panic", p)
			}
		}()
		if why, code := s.refuse(r); why != "" {
			s.o.Counters.Add("refused."+why, 1)
			if r.URL.Path != api.PathHook {
				w.WriteHeader(code)
			}
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		next.ServeHTTP(w, r)
	})
}

// refuse says why a request is not served, "" if it is.
func (s *Server) refuse(r *http.Request) (why string, code int) {
	c, _ := r.Context().Value(connKey{}).(net.Conn)
	_, unix := c.(*net.UnixConn)
	switch {
	case unix && !peer.Same(c):
		return "peer", http.StatusForbidden
	case !unix && !loopbackHost(r.Host):
		return "host", http.StatusForbidden
	case r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "":
		return "origin", http.StatusForbidden
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(api.TokenHeader)), []byte(s.o.Token)) != 1:
		return "token", http.StatusUnauthorized
	case r.Method == http.MethodPost && !isJSON(r.Header.Get("Content-Type")):
		return "content-type", http.StatusUnsupportedMediaType
	}
	return "", 0
}

// loopbackHost reports whether the Host header names this machine's loopback
// exactly: a name that merely begins like it does not count.
func loopbackHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	} else if in, ok := strings.CutPrefix(host, "["); ok {
		name = strings.TrimSuffix(in, "]")
		return net.ParseIP(name).IsLoopback()
	}
	if strings.EqualFold(name, "localhost") && !strings.HasPrefix(host, "[") {
		return true
	}
	return net.ParseIP(name).IsLoopback()
}

func isJSON(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && t == "application/json"
}

// read takes the body in, unless there is too much in flight already; release
// gives its bytes free. Bytes count as they come, so that a sender who promises
// much and sends nothing holds up nobody.
func (s *Server) read(r *http.Request) (body []byte, release func(), ok bool) {
	m := &meter{r: r.Body, total: &s.inFlight}
	release = func() { s.inFlight.Add(-m.n) }
	// Read in large pieces: each small one would be a system call.
	buf := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), firstRead)+bytes.MinRead))
	_, err := buf.ReadFrom(m)
	body = buf.Bytes()
	switch {
	case errors.Is(err, errBusy):
		s.o.Counters.Add("refused.busy", 1)
	case err != nil:
		s.o.Counters.Add("refused.body", 1)
	}
	return body, release, err == nil
}

// firstRead bounds what is set aside for a body before any of it has come.
const firstRead = 1 << 20

var errBusy = errors.New("too much in flight")

// meter counts what is read into a total and stops when that gets too large.
type meter struct {
	r     io.Reader
	total *atomic.Int64
	n     int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.n += int64(n)
	if m.total.Add(int64(n)) > maxInFlight {
		return n, errBusy
	}
	return n, err
}
