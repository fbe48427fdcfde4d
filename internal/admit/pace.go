package admit

import "time"

// pace is how long texts take against what is reckoned for them: 2 on a machine,
// or in an hour, that is half as fast.
type pace float64

const (
	slowest pace = 50
	fastest pace = 1e-4
	// newest is the share of the newest text in what is gone by.
	newest = 0.3
	// doubtful is what a pace loses that turned a text away although nobody was
	// before it: else a bad hour would keep all large texts out for ever.
	doubtful = 0.9
	// least is the cost below which a text says nothing about the pace.
	least = time.Millisecond
)

func (p pace) of(cost time.Duration) time.Duration { return time.Duration(float64(cost) * float64(p)) }

func (p *pace) learn(cost, took time.Duration) {
	if cost < least {
		return
	}
	p.set((1-newest)**p + newest*pace(took)/pace(cost))
}

// atLeast hears of a text that was given up after took. How long it would have
// taken nobody knows; the guess keeps some others away before one is tried again.
func (p *pace) atLeast(cost, took time.Duration) {
	if cost >= least {
		p.set(max(*p, 2*pace(took)/pace(cost)))
	}
}

func (p *pace) doubt() { p.set(*p * doubtful) }

func (p *pace) set(v pace) { *p = min(max(v, fastest), slowest) }
