package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/mcp"
	"winnow/internal/reduce"
	"winnow/internal/serve"
	"winnow/internal/state"
)

// reducerFor answers the MCP server's calls on the reducer. Each asks anew who
// answers, as recalls do.
func reducerFor(cmd *cobra.Command, dir state.Dir) *mcp.Reducer {
	return &mcp.Reducer{
		Compress: func(ctx context.Context, req *api.CompressRequest) (api.CompressReply, error) {
			if err := reduce.Check(req); err != nil {
				return api.CompressReply{}, err
			}
			_ = ensure(ctx, dir) // without a daemon the store is asked itself
			ask, done, err := compressor(cmd, dir, "off")
			if err != nil {
				return api.CompressReply{}, err
			}
			defer done()
			return ask(ctx, req)
		},
		Retrieve: func(ctx context.Context, req api.RetrieveRequest) (out api.RetrieveReply, err error) {
			if c, perr := client.Probe(ctx, dir); perr == nil {
				defer c.Close()
				err = c.Call(ctx, api.PathRetrieve, req, &out)
				return out, err
			}
			s, err := openStore(dir)
			if err != nil {
				return out, err
			}
			defer s.Close()
			return serve.Retrieve(s, req), nil
		},
		Stats: func(ctx context.Context) (string, error) {
			if err := ensure(ctx, dir); err != nil {
				return "", err
			}
			c, err := client.Probe(ctx, dir)
			if err != nil {
				return "", err
			}
			defer c.Close()
			var st api.CompressStats
			if err := c.Call(ctx, api.PathStats, nil, &st); err != nil {
				return "", err
			}
			return mcp.Figures(st), nil
		},
	}
}
