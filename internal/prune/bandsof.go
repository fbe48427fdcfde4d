package prune

// Bands returns the bands that are in force: from keep on a line is needed, below
// drop it is hidden.
func (p *Pruner) Bands() (keep, drop float64) { return p.o.Keep, p.o.Drop }
