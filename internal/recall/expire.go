package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// overhead is what an original takes in the file beside its coded bytes: keys,
// issuance, cut and its share of half-filled pages.
const overhead = 512

// aged is an original with its life and size; who are sessions of its survey.
type aged struct {
	key  marker.Key
	life time.Time
	size int64
	who  []int32
}

// survey is all originals as they stand.
type survey struct {
	all      []aged
	bytes    int64
	sessions map[string]int32
}

// expireOver removes what is over the limits, the oldest first.
func (s *Store) expireOver(ctx context.Context, l Limits, r *Report) error {
	sv, err := s.survey(ctx)
	if err != nil {
		return err
	}
	r.Kept, r.KeptBytes = len(sv.all), sv.bytes
	var gone []aged
	if !r.Waited {
		gone, r.Held = sv.choose(l, s.o.Now())
	}
	removed := map[marker.Key]bool{}
	if l.DryRun {
		for _, a := range gone {
			r.remove(a)
			removed[a.key] = true
		}
	} else {
		err = s.drop(ctx, gone, l, func(a aged) { r.remove(a); removed[a.key] = true })
	}
	r.Sessions, r.Lost = sv.holders(removed)
	return err
}

func (r *Report) remove(a aged) {
	r.Removed++
	r.RemovedBytes += a.size
	r.Kept--
	r.KeptBytes -= a.size
}

// survey reads the life of every original, in short transactions: a long one
// would hold up a Put that has to grow the mapping.
func (s *Store) survey(ctx context.Context) (*survey, error) {
	sv := &survey{sessions: map[string]int32{}}
	var after []byte
	for {
		began, n := time.Now(), len(sv.all)
		err := s.view(func(tx *bolt.Tx) error {
			sv.all = sv.all[:n]
			return s.surveyChunk(tx, sv, after)
		})
		if err != nil || len(sv.all) == n {
			for _, a := range sv.all {
				sv.bytes += a.size
			}
			return sv, err
		}
		after = []byte(sv.all[len(sv.all)-1].key)
		if err := rest(ctx, time.Since(began)); err != nil {
			return sv, err
		}
	}
}

func (s *Store) surveyChunk(tx *bolt.Tx, sv *survey, after []byte) error {
	b, err := bucket(tx, bOriginals)
	if err != nil {
		return err
	}
	now := s.o.Now()
	cur := b.Cursor()
	k, v := cur.Seek(after)
	if after != nil && string(k) == string(after) {
		k, v = cur.Next()
	}
	for n := 0; k != nil && n < chunkKeys; k, v = cur.Next() {
		life, sessions, err := s.life(tx, k, now)
		if err != nil {
			return err
		}
		a := aged{key: marker.Key(k), life: life, size: int64(len(v)) + overhead}
		for _, name := range sessions {
			i, ok := sv.sessions[name]
			if !ok {
				i = int32(len(sv.sessions))
				sv.sessions[name] = i
			}
			if !slices.Contains(a.who, i) {
				a.who = append(a.who, i)
			}
		}
		sv.all = append(sv.all, a)
		n++
	}
	return nil
}

// choose returns what has to go, and how many would have to if no live session
// showed them.
func (sv *survey) choose(l Limits, now time.Time) (gone []aged, held int) {
	slices.SortFunc(sv.all, func(a, b aged) int {
		return cmp.Or(a.life.Compare(b.life), cmp.Compare(a.key, b.key))
	})
	left := sv.bytes
	for _, a := range sv.all {
		switch over := now.Sub(a.life) > l.Older || left > l.MaxBytes; {
		case l.All:
		case !over:
			return gone, held // the rest is younger, and there is room for it
		case now.Sub(a.life) < LiveFor:
			held++
			left -= a.size
			continue
		}
		gone = append(gone, a)
		left -= a.size
	}
	return gone, held
}

// holders counts the sessions that show something that is left, and those that
// show something removed.
func (sv *survey) holders(removed map[marker.Key]bool) (left, lost int) {
	has, lacks := map[int32]bool{}, map[int32]bool{}
	for _, a := range sv.all {
		for _, i := range a.who {
			if removed[a.key] {
				lacks[i] = true
			} else {
				has[i] = true
			}
		}
	}
	return len(has), len(lacks)
}

// drop expires originals in small transactions. What has shown a sign of life
// since it was chosen stays.
func (s *Store) drop(ctx context.Context, gone []aged, l Limits, each func(aged)) error {
	for len(gone) > 0 {
		began := time.Now()
		n, size := 0, int64(0)
		for n < len(gone) && n < dropKeys && size < dropBytes {
			size += gone[n].size
			n++
		}
		done, err := s.dropChunk(gone[:n], l)
		if err != nil {
			return err
		}
		for _, a := range done {
			each(a)
		}
		gone = gone[n:]
		if err := rest(ctx, time.Since(began)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) dropChunk(chunk []aged, l Limits) (done []aged, err error) {
	now := s.o.Now()
	err = s.update(func(tx *bolt.Tx) error {
		done = nil
		for _, a := range chunk {
			life, _, err := s.life(tx, []byte(a.key), now)
			if err != nil {
				return err
			}
			if !l.All && life.After(a.life) {
				continue
			}
			if err := s.expire(tx, a.key, stamp(now)); err != nil {
				return err
			}
			done = append(done, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	keys := make([]marker.Key, len(done))
	for i, a := range done {
		keys[i] = a.key
	}
	s.dead(keys...)
	return done, nil
}
