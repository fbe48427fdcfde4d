package router

import "strings"

// The floors: the least part of a candidate's tokens that it must save, with an
// empty context and with a full one. What loses nothing may save less.
const (
	lossyFloor, lossyFloorFull = 0.15, 0.03
	foldFloor, foldFloorFull   = 0.05, 0.01
	// minFold is the size below which not even a fold is tried, in tokens.
	minFold = 24
	// minSaved is the least number of tokens worth a change.
	minSaved = 8
)

// accept says why a candidate may not replace a text of before tokens, "" if it may.
func (r *Router) accept(b *Block, c *candidate, before int) string {
	if strings.TrimSpace(c.text) == "" {
		return whyEmpty
	}
	if c.lossy && b.NoRecall {
		return whyNoRecall
	}
	if c.lossy && len(c.hidden) == 0 {
		return whyNoTag
	}
	c.tokens = r.o.Count(c.text)
	if c.tokens >= before {
		return whyLarger
	}
	floor := slide(foldFloor, foldFloorFull, b.Pressure)
	if c.lossy {
		floor = slide(lossyFloor, lossyFloorFull, b.Pressure)
	}
	if saved := before - c.tokens; saved < minSaved || float64(saved) < floor*float64(before) {
		return whyLittle
	}
	return ""
}

// slide goes from empty to full with the pressure.
func slide(empty, full, pressure float64) float64 {
	pressure = min(max(pressure, 0), 1)
	return empty + (full-empty)*pressure
}
