// Package recall keeps what winnow hid: the original bytes by content, and the
// issuances, which say where a marker for them was shown. It is a bbolt file
// that one process holds at a time.
//
// It is a cache of originals and never a reason to fail: a damaged file is set
// aside, a store that cannot write says so and hides nothing, and a value that
// no longer hashes to its key is not handed out. It decides nothing about what
// to hide and knows nothing of tools.
package recall

import (
	"errors"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// What callers branch on.
var (
	// ErrNotFound: the key was never issued by this store.
	ErrNotFound = errors.New("key not found")
	// ErrExpired: the key was issued, its original is no longer kept.
	ErrExpired = errors.New("key expired")
	// ErrLocked: another process holds the file.
	ErrLocked = errors.New("store is held by another process")
	// ErrKey: the key is malformed or not the hash of its text.
	ErrKey = errors.New("key does not fit its text")
	// ErrTooLarge: a text over [MaxText].
	ErrTooLarge = errors.New("text too large to store")
	// ErrClosed: the store was closed, or given up after repeated damage.
	ErrClosed = errors.New("store is closed")
	// ErrNewer: the file was written by a later release; it is left alone.
	ErrNewer = errors.New("store was written by a newer release")
)

// FileName is the store's name in the state folder.
const FileName = "recall.db"

// MaxText is the largest original in bytes: twice the largest saved output that
// is ever read (64 MB).
const MaxText = 128 << 20

// Options are the settings of [Open].
type Options struct {
	// Timeout bounds the wait for the file's lock. 0: one second.
	Timeout time.Duration
	// Now is the clock. nil: time.Now.
	Now func() time.Time
	// NoSync skips fsync: for tests and private stores that nobody will reopen.
	NoSync bool
	// ReadOnly opens an existing file to read it, on a disk that takes no writing.
	// Nothing is made, mended or set aside.
	ReadOnly bool
}

// Issue is one showing of a marker.
type Issue struct {
	Key marker.Key `json:"-"`
	// First and Last are the line numbers that the marker shows.
	First     int    `json:"first"`
	Last      int    `json:"last"`
	Session   string `json:"session,omitempty"`
	Loop      string `json:"loop,omitempty"`
	Project   string `json:"project,omitempty"`
	ToolUseID string `json:"tool_use_id,omitempty"`
}

// Item is an original and the issuance that hides it.
type Item struct {
	Text  string
	Issue Issue
}

// RecallEvent is one recall for the log, which lies in the private store. Lines
// and Pattern are what was asked for.
type RecallEvent struct {
	Key     marker.Key `json:"key"`
	Session string     `json:"session,omitempty"`
	Loop    string     `json:"loop,omitempty"`
	Lines   string     `json:"lines,omitempty"`
	Pattern string     `json:"pattern,omitempty"`
	// Time is the time of the recall; zero means now.
	Time time.Time `json:"time"`
}

// Store is an open recall file. All methods may be called at the same time.
type Store struct {
	path string
	o    Options
	codec

	// writeMu is held for each writing transaction and its aftermath, and by
	// Close: nobody may wait inside a database whose writer panicked. It is taken
	// before dbMu.
	writeMu sync.Mutex

	// dbMu guards db, healed, damaged and closed; it is held only to read or
	// swap them, never during a transaction. Lock order: dbMu before cacheMu,
	// and no transaction runs under either.
	dbMu    sync.Mutex
	db      *file
	healed  int
	damaged string
	closed  bool

	// cacheMu guards the caches below. Each is bounded and backed by the file.
	cacheMu sync.Mutex
	live    map[marker.Key]struct{}
	cuts    map[string]map[string]bool
	offers  map[string]struct{}
	// puts counts the Puts and drops the expiries, so that a slow reader does not
	// cache what is stale.
	puts, drops int

	// seenMu guards seen: the sessions that asked for something here, and when. The
	// times keep their monotonic part, so that a clock that jumps ages nobody.
	seenMu sync.Mutex
	seen   map[string]time.Time

	dirty dirty
	// turn holds one token for whoever does upkeep or compacts.
	turn chan struct{}
	// step, when set, hears of each step of a compaction: tests end the process there.
	step func(string, *copying)
}

// Damaged returns where the last damaged file was moved to, or "".
func (s *Store) Damaged() string {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	return s.damaged
}

// Path returns the store's file.
func (s *Store) Path() string { return s.path }

// Close releases the file. It waits for transactions under way.
func (s *Store) Close() error {
	if f, err := s.current(); err == nil && s.inPlace(f) {
		_ = s.writeSessions() // without them originals go sooner, no more
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	s.dbMu.Lock()
	f := s.db
	s.db, s.closed = nil, true
	s.dbMu.Unlock()
	if f == nil {
		return nil
	}
	return f.close()
}

// bucket names. Keys of originals, expired, recalled and counts are markers'
// hex keys; the others begin with what they are scanned by.
var (
	bMeta      = []byte("meta")      // version, counts
	bOriginals = []byte("originals") // key -> coded text
	bExpired   = []byte("expired")   // key -> time
	bIssues    = []byte("issues")    // key, sequence -> Issue and time
	bCuts      = []byte("cuts")      // session, loop, tool_use_id -> time
	bOffers    = []byte("offers")    // session, loop -> time
	bRecalled  = []byte("recalled")  // key -> time of the newest recall
	bLog       = []byte("log")       // sequence -> RecallEvent
	bSessions  = []byte("sessions")  // session -> time it was last heard of
	buckets    = [][]byte{bMeta, bOriginals, bExpired, bIssues, bCuts, bOffers, bRecalled, bLog, bSessions}
)

func bucket(tx *bolt.Tx, name []byte) (*bolt.Bucket, error) {
	b := tx.Bucket(name)
	if b == nil {
		return nil, errDamaged("bucket " + string(name) + " is missing")
	}
	return b, nil
}
