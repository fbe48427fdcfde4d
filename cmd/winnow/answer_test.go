package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"winnow/internal/api"
)

// answerForScript hands the daemon a result as the mod does and, if the second
// judge has a question, answers it: with the second argument, or where that begins
// with "!" with the failure it names. It prints what became of the question
// ("unasked" without one), and "cut" or "whole".
func answerForScript() {
	if err := answerOnce(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func answerOnce(ctx context.Context, seed, said string) error {
	c, reply, err := postListing(ctx, seed, 400, "claude-opus-4-1")
	if err != nil {
		return err
	}
	outcome, got, notice := "unasked", reply.Texts[0], reply.Notice
	if len(reply.Questions) > 0 {
		req := api.SecondRequest{Session: "s", Loop: "main", Ticket: reply.Questions[0].Ticket, Answered: true, Text: said,
			Usage: json.RawMessage(`{"input_tokens":8000,"output_tokens":40}`)}
		if why, failed := strings.CutPrefix(said, "!"); failed {
			req.Answered, req.Text, req.Reason, req.Usage = false, "", why, json.RawMessage(`{"input_tokens":0,"output_tokens":0}`)
		}
		var out api.SecondReply
		if err := c.Call(ctx, api.PathSecond, req, &out); err != nil {
			return err
		}
		outcome, got, notice = out.Outcome, out.Text, out.Notice
	}
	if got != nil {
		fmt.Println(outcome, "cut")
	} else {
		fmt.Println(outcome, "whole")
	}
	if notice != "" {
		fmt.Println(notice)
	}
	return nil
}
