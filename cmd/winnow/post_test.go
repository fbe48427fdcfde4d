package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"winnow/internal/api"
	"winnow/internal/client"
)

// postForScript hands the daemon a result as the mod does, one that nobody handed
// it before (its argument sees to that), and prints "cut" or "whole", and the
// notice if there is one.
func postForScript() {
	if err := postOnce(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func postOnce(ctx context.Context, seed string) error {
	_, reply, err := postListing(ctx, seed, 2000, "")
	if err != nil {
		return err
	}
	if len(reply.Texts) == 1 && reply.Texts[0] != nil {
		fmt.Println("cut")
	} else {
		fmt.Println("whole")
	}
	if reply.Notice != "" {
		fmt.Println(reply.Notice)
	}
	return nil
}

// postListing offers recall and posts a listing of n lines made from seed, as the
// mod would, beside a model unless that is "".
func postListing(ctx context.Context, seed string, n int, model string) (*client.Client, api.ResultReply, error) {
	var reply api.ResultReply
	dir, err := stateDir("")
	if err != nil {
		return nil, reply, err
	}
	c, err := client.New(dir)
	if err != nil {
		return nil, reply, err
	}
	if err := c.Call(ctx, api.PathOffer, api.OfferRequest{Session: "s", Loop: "main"}, nil); err != nil {
		return nil, reply, err
	}
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%s: entry %d of a listing, %x\n", seed, i, i*i*7919)
	}
	err = c.Call(ctx, api.PathResult, api.ResultRequest{
		Session: "s", Loop: "main", ToolUseID: seed, Tool: "Bash", Input: []byte(`{"command":"ls ` + seed + `"}`),
		Texts: []string{text.String()}, Rows: []api.Row{{Text: "find the slow test", Door: "prompt"}}, Model: model,
	}, &reply)
	return c, reply, err
}
