package serve

import (
	"crypto/subtle"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"winnow/internal/api"
	"winnow/internal/peer"
	"winnow/internal/prune"
)

type connKey struct{}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+api.PathHook, s.hook)
	mux.HandleFunc("POST "+api.PathResult, s.result)
	mux.HandleFunc("POST "+api.PathEarly, s.early)
	mux.HandleFunc("POST "+api.PathSecond, s.second)
	mux.HandleFunc("POST "+api.PathHello, s.hello)
	mux.HandleFunc("POST "+api.PathOffer, s.offer)
	mux.HandleFunc("POST "+api.PathRecall, s.recall)
	mux.HandleFunc("POST "+api.PathLive, s.live)
	mux.HandleFunc("GET "+api.PathStatus, s.statusPage)
	mux.HandleFunc("POST "+api.PathStop, s.stopPage)
	mux.HandleFunc("POST "+api.PathClean, s.clean)
	mux.HandleFunc("POST "+api.PathCheck, s.check)
	mux.HandleFunc("POST "+api.PathCompress, s.compress)
	mux.HandleFunc("POST "+api.PathRetrieve, s.retrieve)
	mux.HandleFunc("GET "+api.PathStats, s.stats)
	return s.guard(mux)
}

// guard lets in who knows the token, came by the right name and is no web
// page, and recovers the one panic that nobody else caught. Whatever it turns
// away from the hook path gets an empty 200: Claude Code goes on with its result.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.Add(1)
		s.asked.Add(1)
		began := time.Now()
		defer func() {
			s.o.Counters.Add("ns.handlers", time.Since(began).Nanoseconds())
			s.active.Add(-1)
		}()
		defer func() {
			if p := recover(); p != nil {
				s.o.Counters.Add("panics", 1)
				s.o.Log.Error("panic in a handler", "path", r.URL.Path, "err", prune.Panicked(p))
			}
		}()
		if r.URL.Path == api.PathHook {
			// Who is cut off while still sending sees a broken connection, not our 200.
			all := r.Body
			defer func() { _, _ = io.CopyN(io.Discard, all, maxDrain) }()
		}
		if why, code := s.refuse(r); why != "" {
			s.o.Counters.Add("refused."+why, 1)
			if r.URL.Path != api.PathHook || r.Method != http.MethodPost {
				w.WriteHeader(code)
			}
			return
		}
		s.doors.note(r.URL.Path)
		body := s.bodies.meter(w, r)
		defer body.release()
		r.Body = body
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
	case !unix && !ownHost(r.Host, c):
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

// maxDrain bounds what is read of a hook post only to be thrown away.
const maxDrain = 256 << 20

// ownHost reports whether the Host header names where the connection came in:
// this machine's loopback and our port, exactly.
func ownHost(host string, c net.Conn) bool {
	if c == nil {
		return false
	}
	at, ok := c.LocalAddr().(*net.TCPAddr)
	if !ok {
		return false
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return false
	}
	return port == strconv.Itoa(at.Port) && (strings.EqualFold(name, "localhost") || net.ParseIP(name).IsLoopback())
}

func isJSON(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && t == "application/json"
}
