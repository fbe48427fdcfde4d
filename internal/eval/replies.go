package eval

import (
	"fmt"
	"io"
)

// ReadReplies reads JSONL {"id","reply"}: what a model answered about each case.
func ReadReplies(r io.Reader) (map[string]string, error) {
	type line struct {
		ID    string
		Reply *string
	}
	all := map[string]string{}
	for l, err := range records[line](r, "reply") {
		if err != nil {
			return nil, err
		}
		if _, twice := all[l.ID]; twice {
			return nil, fmt.Errorf("reply to %s: given twice", l.ID)
		}
		if l.Reply == nil {
			return nil, fmt.Errorf("reply to %s: there is none", l.ID)
		}
		all[l.ID] = *l.Reply
	}
	return all, nil
}
