//go:build e2e

package mockapi

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type obj = map[string]any

// answer sends reply in one piece or as events, as the request asks.
func answer(w http.ResponseWriter, req Request, reply Reply, id func(int) string) {
	blocks, stop := reply.blocks(id)
	msg := obj{"id": "msg_" + id(-1)[6:], "type": "message", "role": "assistant", "model": req.Model,
		"content": blocks, "stop_reason": stop, "stop_sequence": nil,
		"usage": obj{"input_tokens": 1000, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}
	if !req.Stream {
		body, _ := json.Marshal(msg)
		send(w, string(body))
		return
	}
	msg["content"], msg["stop_reason"] = []obj{}, nil
	w.Header().Set("Content-Type", "text/event-stream")
	ev := events{w}
	ev.send("message_start", obj{"message": msg})
	for i, b := range blocks {
		ev.block(i, b)
	}
	ev.send("message_delta", obj{"delta": obj{"stop_reason": stop, "stop_sequence": nil}, "usage": obj{"output_tokens": 10}})
	ev.send("message_stop", obj{})
}

// blocks returns the reply's content blocks and its stop reason.
func (r Reply) blocks(id func(int) string) (blocks []obj, stop string) {
	stop = "end_turn"
	if r.Text != "" {
		blocks = append(blocks, obj{"type": "text", "text": r.Text})
	}
	for i, c := range r.Calls {
		stop = "tool_use"
		blocks = append(blocks, obj{"type": "tool_use", "id": id(i), "name": c.Name, "input": c.Input})
	}
	return blocks, stop
}

type events struct{ w http.ResponseWriter }

func (e events) send(kind string, data obj) {
	data["type"] = kind
	body, err := json.Marshal(data)
	if err != nil {
		panic(err) // a script holds something that is no JSON
	}
	fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", kind, body)
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
}

// block sends one content block: opened empty, filled by a delta, closed.
func (e events) block(i int, b obj) {
	open, delta := obj{"type": "text", "text": ""}, obj{"type": "text_delta", "text": b["text"]}
	if b["type"] == "tool_use" {
		input, err := json.Marshal(b["input"])
		if err != nil {
			panic(err)
		}
		open = obj{"type": "tool_use", "id": b["id"], "name": b["name"], "input": obj{}}
		delta = obj{"type": "input_json_delta", "partial_json": string(input)}
	}
	e.send("content_block_start", obj{"index": i, "content_block": open})
	e.send("content_block_delta", obj{"index": i, "delta": delta})
	e.send("content_block_stop", obj{"index": i})
}
