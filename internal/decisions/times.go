package decisions

import "slices"

// Times are those of N results, in microseconds: half of them took at most
// Half, 95 of 100 at most Most, and one took Max.
type Times struct {
	N    int   `json:"n"`
	Half int64 `json:"p50_us"`
	Most int64 `json:"p95_us"`
	Max  int64 `json:"max_us"`
}

// timesOf sorts us.
func timesOf(us []int64) Times {
	if len(us) == 0 {
		return Times{}
	}
	slices.Sort(us)
	at := func(percent int) int64 { return us[(len(us)*percent+99)/100-1] } // the nearest rank
	return Times{len(us), at(50), at(95), us[len(us)-1]}
}
