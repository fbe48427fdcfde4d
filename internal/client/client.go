// Package client is the typed way to the daemon for everything that is not the
// mod: the CLI, the hook relay, tests. It talks over the socket of the state
// folder, proves itself by the folder's token, and ignores proxy settings.
//
// It never imports serve; starting a daemon is [Ensure]'s job.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"winnow/internal/api"
	"winnow/internal/peer"
	"winnow/internal/state"
)

// ErrNoDaemon reports that no daemon answers.
var ErrNoDaemon = errors.New("no daemon answers")

// ErrForeign reports that something else than this folder's daemon answered.
var ErrForeign = errors.New("the answer is not from this folder's daemon")

// Client talks to the daemon of one state folder.
type Client struct {
	// Transport may be replaced by tests before the first call.
	Transport http.RoundTripper
	token     string
}

// New returns a client for dir. It reads where the daemon listens and the
// token, but connects to nothing.
func New(dir state.Dir) (*Client, error) {
	token, err := dir.ReadToken(false)
	if err != nil {
		return nil, fmt.Errorf("%w: %w: %w", ErrNoDaemon, ErrNoToken, err)
	}
	sock, err := socketOf(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDaemon, err)
	}
	return &Client{token: token, Transport: transport(sock)}, nil
}

func transport(sock string) *http.Transport {
	return &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, sock) },
	}
}

// ErrNoToken reports that the folder has no readable token: nobody can be asked.
var ErrNoToken = errors.New("no token")

// socketOf returns the socket that the daemon wrote down, else where one would be.
func socketOf(dir state.Dir) (string, error) {
	if d, err := dir.ReadDaemon(); err == nil && d.Socket != "" {
		return d.Socket, nil
	}
	return dir.Socket()
}

// dial connects to the socket after a look at whose it is: the token and what
// tools printed go to nobody else.
func dial(ctx context.Context, sock string) (net.Conn, error) {
	if err := state.CheckSocket(sock); err != nil {
		return nil, err
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", sock)
	if err != nil {
		return nil, err
	}
	if !peer.Same(c) {
		c.Close()
		return nil, fmt.Errorf("socket %s: %w", sock, ErrForeign)
	}
	return c, nil
}

// Close drops idle connections.
func (c *Client) Close() {
	if t, ok := c.Transport.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

// Do posts body (or GETs when body is nil) and returns the raw reply.
func (c *Client) Do(ctx context.Context, path string, body []byte) ([]byte, error) {
	method := http.MethodPost
	if body == nil {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://winnow"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(api.TokenHeader, c.token)
	resp, err := c.Transport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDaemon, err)
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read reply to %s: %w", path, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s: %w", path, resp.Status, ErrForeign)
	}
	return out, nil
}

// Call posts in as JSON and decodes the reply into out (nil: ignored). A nil in GETs.
func (c *Client) Call(ctx context.Context, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	raw, err := c.Do(ctx, path, body)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("decode reply to %s: %w", path, err)
	}
	return nil
}

// Status asks the daemon about itself.
func (c *Client) Status(ctx context.Context) (api.Status, error) {
	var s api.Status
	err := c.Call(ctx, api.PathStatus, nil, &s)
	return s, err
}

// Recall asks for hidden lines.
func (c *Client) Recall(ctx context.Context, r api.RecallRequest) (api.RecallReply, error) {
	var out api.RecallReply
	err := c.Call(ctx, api.PathRecall, r, &out)
	return out, err
}

// Stop asks the daemon to leave.
func (c *Client) Stop(ctx context.Context) error {
	return c.Call(ctx, api.PathStop, struct{}{}, nil)
}
