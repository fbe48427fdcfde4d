package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lines is MCP over a reader and a writer, a message a line. The SDK's own
// transport ends with the first line that is no message, and drops what it still
// has to answer when the input ends; here such a line gets an error, and the end
// waits for the answers.
func Lines(in io.Reader, out io.Writer) sdk.Transport {
	r, w := io.Pipe()
	l := &lines{out: out, more: w, done: make(chan struct{}, 1)}
	go l.read(in)
	return &sdk.IOTransport{Reader: r, Writer: l}
}

// lastAnswers is how long the end of the input waits for answers.
const lastAnswers = 15 * time.Second

// maxLine bounds a line: a call of the one tool takes far less.
const maxLine = 1 << 20

type lines struct {
	more *io.PipeWriter // to the SDK
	// done hears of each answer.
	done chan struct{}

	mu   sync.Mutex // guards the fields below
	out  io.Writer
	open int // requests that wait for their answer
}

// message is what tells the kinds of message apart.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

func (m message) hasID() bool { return len(m.ID) > 0 && string(m.ID) != "null" }

// goodID reports whether the SDK, which would end the session with another one,
// takes the id: a string, or a number.
func (m message) goodID() bool {
	if !m.hasID() || m.ID[0] == '"' {
		return true
	}
	var n float64
	return json.Unmarshal(m.ID, &n) == nil
}

// read passes lines on until the input ends.
func (l *lines) read(in io.Reader) {
	br := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(br)
		if b := bytes.TrimSpace(line); len(b) > 0 && !l.pass(b) {
			return
		}
		if err != nil {
			l.wait()
			l.more.CloseWithError(io.EOF)
			return
		}
	}
}

// readLine reads a line; of one that is too long it keeps only enough to be no message.
func readLine(br *bufio.Reader) (line []byte, err error) {
	for {
		part, err := br.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// pass hands a line to the SDK, or answers that it is none; false: nobody reads any more.
func (l *lines) pass(b []byte) bool {
	var m message
	switch err := json.Unmarshal(b, &m); {
	case !json.Valid(b):
		l.refuse(-32700, "Parse error")
		return true
	case err != nil || m.Version != "2.0" || !m.goodID() || m.Method == "" && (!m.hasID() || m.Result == nil && m.Error == nil):
		l.refuse(-32600, "Invalid Request")
		return true
	}
	if m.Method != "" && m.hasID() {
		l.mu.Lock()
		l.open++
		l.mu.Unlock()
	}
	_, err := l.more.Write(append(bytes.Clone(b), '\n'))
	return err == nil
}

func (l *lines) refuse(code int, text string) {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": text}})
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		_, _ = l.out.Write(append(b, '\n'))
	}
}

// wait waits until every request has its answer.
func (l *lines) wait() {
	end := time.NewTimer(lastAnswers)
	defer end.Stop()
	for {
		l.mu.Lock()
		open := l.open
		l.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-l.done:
		case <-end.C:
			return
		}
	}
}

// Write writes what the SDK says, a message at a time.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.out.Write(p)
	var m message
	if json.Unmarshal(p, &m) == nil && m.Method == "" && m.hasID() {
		l.open--
		select {
		case l.done <- struct{}{}:
		default:
		}
	}
	return n, err
}

// Close ends the reading side, too: nobody takes lines any more.
func (l *lines) Close() error { return l.more.Close() }
