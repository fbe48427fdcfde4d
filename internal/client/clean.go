package client

import (
	"context"

	"winnow/internal/api"
)

// Clean asks the daemon to clean its store now.
func (c *Client) Clean(ctx context.Context, r api.CleanRequest) (api.CleanReply, error) {
	var out api.CleanReply
	err := c.Call(ctx, api.PathClean, r, &out)
	return out, err
}

// Check asks the daemon to read all of its store.
func (c *Client) Check(ctx context.Context) (api.CheckReply, error) {
	var out api.CheckReply
	err := c.Call(ctx, api.PathCheck, struct{}{}, &out)
	return out, err
}
