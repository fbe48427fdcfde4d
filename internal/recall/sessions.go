package recall

import (
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// LiveSessions counts the sessions that show a marker and were heard of in the
// last [LiveFor].
func (s *Store) LiveSessions() (int, error) {
	live, now := map[string]bool{}, s.o.Now()
	err := s.view(func(tx *bolt.Tx) error {
		issues, err := bucket(tx, bIssues)
		if err != nil {
			return err
		}
		clear(live)
		return issues.ForEach(func(_, v []byte) error {
			is := shownBy(v)
			if is.Session == "" || live[is.Session] {
				return nil
			}
			at := later(is.Time, s.lastHeard(tx, part(nil, is.Session), now))
			if now.Sub(at) < LiveFor {
				live[is.Session] = true
			}
			return nil
		})
	})
	if err != nil {
		return 0, fmt.Errorf("count live sessions: %w", err)
	}
	return len(live), nil
}
