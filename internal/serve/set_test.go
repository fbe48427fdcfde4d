package serve

import "winnow/internal/prune"

// SetMode swaps the mode and what [door.Auto] goes by.
func (s *Server) SetMode(mode string, p Proven) {
	s.set(func(c *current) { c.mode, c.proven = mode, p })
}

// SetPruner swaps the pruner and says which judge it holds and how that is.
func (s *Server) SetPruner(p *prune.Pruner, judge, state string) {
	s.set(func(c *current) { c.pruner, c.judge, c.judgeState = p, judge, state })
}
