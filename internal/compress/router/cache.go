package router

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"sync"
)

// cacheKey is a hash of all that a decision depends on.
type cacheKey [sha256.Size]byte

// keyOf hashes a block with its configuration: the same text under another
// floor is another question. Options never change under a router.
func keyOf(b *Block) cacheKey {
	h := sha256.New()
	var n [8]byte
	put := func(s string) {
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	flags := uint64(0)
	for i, f := range []bool{b.Failed, b.Cached, b.Lossless, b.EditsOnly, b.NoRecall, b.NoJudge} {
		if f {
			flags |= 1 << i
		}
	}
	l := b.Limits
	for _, v := range []uint64{flags, math.Float64bits(b.Pressure), uint64(l.MinTokens), uint64(l.HeadItems), uint64(l.TailItems), uint64(l.MaxString)} {
		binary.LittleEndian.PutUint64(n[:], v)
		h.Write(n[:])
	}
	task, _ := json.Marshal(b.Task)
	for _, s := range []string{b.Text, b.Role, b.Tool.Name, string(b.Tool.Input), string(task), string(b.Kind), b.Language, b.File} {
		put(s)
	}
	var k cacheKey
	h.Sum(k[:0])
	return k
}

// cache remembers decisions, accepted and refused, least recently used out first.
type cache struct {
	max int // bytes of text

	mu    sync.Mutex // guards the fields below
	bytes int
	order list.List // of *entry, newest first
	byKey map[cacheKey]*list.Element
}

type entry struct {
	key  cacheKey
	res  Result
	size int
}

func (c *cache) get(k cacheKey) (Result, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[k]
	if !ok {
		return Result{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).res, true
}

func (c *cache) put(k cacheKey, b *Block, res Result) {
	size := len(b.Text) + len(res.Text) + 512
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[k]; ok || size > c.max/4 {
		return
	}
	if c.byKey == nil {
		c.byKey = map[cacheKey]*list.Element{}
	}
	c.byKey[k] = c.order.PushFront(&entry{k, res, size})
	for c.bytes += size; c.bytes > c.max; {
		old := c.order.Remove(c.order.Back()).(*entry)
		delete(c.byKey, old.key)
		c.bytes -= old.size
	}
}
