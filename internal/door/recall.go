package door

import (
	"errors"
	"regexp"

	"winnow/internal/api"
	"winnow/internal/marker"
	"winnow/internal/recall"
)

// Page is the most that one recall gives back, in characters.
const Page = 20_000

// Notes for a recall that gives nothing back: each says what to do instead and
// that asking again will not help.
const (
	NoStoreNote = "winnow's store cannot be opened, so nothing can be recalled now. Run the command again, or read the file with offset and limit."
	badKeyNote  = "This is not a winnow key: a key is the 24 hex digits after <<ccr: in a marker. Copy it from the marker."
	unknownNote = "winnow never issued this key here; asking again will not help. Run the command again, or read the file with offset and limit."
	expiredNote = "The lines of this key have expired; asking again will not help. Run the command again, or read the file with offset and limit."
)

// Recall answers one recall from the store, and logs it there. It never fails:
// a miss is a note.
func Recall(s *recall.Store, req api.RecallRequest) api.RecallReply {
	key, ok := marker.Parse(req.Key)
	if !ok {
		return api.RecallReply{Note: badKeyNote}
	}
	text, err := s.Get(key)
	switch {
	case errors.Is(err, recall.ErrExpired):
		return api.RecallReply{Note: expiredNote}
	case errors.Is(err, recall.ErrNotFound):
		return api.RecallReply{Note: unknownNote}
	case err != nil:
		return api.RecallReply{Note: NoStoreNote}
	}
	issue, _ := s.Issued(key, req.Session)
	page, note, err := recall.Page(text, issue, req.Lines, req.Pattern, Page)
	if err != nil {
		return api.RecallReply{Found: true, Bad: true, Note: err.Error()}
	}
	// The log is for regret; an answer that cannot be logged is still an answer.
	_ = s.Recalled(recall.RecallEvent{Key: key, Session: req.Session, Loop: req.Loop, Lines: req.Lines, Pattern: req.Pattern})
	return api.RecallReply{Found: true, Text: page, Note: note}
}

// Next reads the lines of the next page out of a note.
func Next(note string) (lines string, ok bool) {
	m := nextRE.FindStringSubmatch(note)
	if m == nil {
		return "", false
	}
	return m[1], true
}

var nextRE = regexp.MustCompile(`next: lines ([0-9+]+(?:-[0-9]+)?)`)
