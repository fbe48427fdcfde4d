package api

import "time"

// HelloRequest is what the mod says when a session loads it.
type HelloRequest struct {
	Session string `json:"session"`
	// Client is the client's version, Root the plugin's folder.
	Client string `json:"client,omitempty"`
	Root   string `json:"root,omitempty"`
}

// Hello is a [HelloRequest] and when it came. The state folder's hello.json
// (0600) holds the newest of them, newest first.
type Hello struct {
	HelloRequest
	At time.Time `json:"at"`
}
