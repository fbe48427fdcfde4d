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
	dir, err := stateDir("")
	if err != nil {
		return err
	}
	c, err := client.New(dir)
	if err != nil {
		return err
	}
	if err := c.Call(ctx, api.PathOffer, api.OfferRequest{Session: "s", Loop: "main"}, nil); err != nil {
		return err
	}
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "%s: entry %d of a listing, %x\n", seed, i, i*i*7919)
	}
	var reply api.ResultReply
	err = c.Call(ctx, api.PathResult, api.ResultRequest{
		Session: "s", Loop: "main", ToolUseID: seed, Tool: "Bash", Input: []byte(`{"command":"ls ` + seed + `"}`),
		Texts: []string{text.String()}, Rows: []api.Row{{Text: "find the slow test", Door: "prompt"}},
	}, &reply)
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
