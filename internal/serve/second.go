package serve

import (
	"net/http"

	"winnow/internal/api"
	"winnow/internal/door"
)

// SetSecond sets what the second judge goes by.
func (s *Server) SetSecond(v door.Second) { s.set(func(c *current) { c.second = v }) }

// second takes what became of a question.
func (s *Server) second(w http.ResponseWriter, r *http.Request) {
	var req api.SecondRequest
	if !s.decode(r, &req) {
		return
	}
	out := s.door.Second(r.Context(), &req)
	out.Notice = s.anyNotice()
	reply(w, out)
}

// anyNotice is what the person should be told now.
func (s *Server) anyNotice() string {
	if n := s.notice(); n != "" || s.o.Desk == nil {
		return n
	}
	return s.o.Desk.Purse.Notice()
}

// noPrice is why a judge whose price is not known is not asked.
const noPrice = "price"

func (s *Server) secondStatus(c *current) *api.SecondStatus {
	v := c.second
	if v.Mode == "" || s.o.Desk == nil {
		return nil
	}
	st := &api.SecondStatus{Mode: v.Mode, Model: v.Model, AsOf: v.Prices.AsOf, Why: v.Why, Stopped: s.o.Desk.Purse.State()}
	if !v.Priced {
		st.Stopped = noPrice
	}
	spent, budget := s.o.Desk.Purse.Spent()
	st.Spent, st.Budget = spent.Dollars(), budget.Dollars()
	return st
}
