package decisions

import "testing"

func TestTimes(t *testing.T) {
	hundred := make([]int64, 100)
	for i := range hundred {
		hundred[i] = int64(100 - i)
	}
	for _, c := range []struct {
		name string
		us   []int64
		want Times
	}{
		{"none", nil, Times{}},
		{"one", []int64{7}, Times{1, 7, 7, 7}},
		{"two", []int64{9, 7}, Times{2, 7, 9, 9}},
		{"three", []int64{1, 100, 2}, Times{3, 2, 100, 100}},
		{"a hundred", hundred, Times{100, 50, 95, 100}},
	} {
		if got := timesOf(c.us); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestWay(t *testing.T) {
	zero := 0
	judged := rec("c1", "a")
	judged.Door, judged.Judge, judged.PFailure, judged.JudgeUS, judged.WholeUS = "mod", "onnx", &zero, 50, 70
	passed := rec("c2", "b")
	passed.Door, passed.WholeUS = "hook", 9
	tally := NewTally()
	for _, r := range []Record{judged, passed, {Time: at, Event: Recall, Door: "mod", WholeUS: 5}} {
		tally.Add(r)
	}
	got := tally.Summary()
	if len(got.Doors) != 2 || got.Doors["mod"] != 1 || got.Doors["hook"] != 1 || len(got.Judges) != 1 || got.Judges["onnx"] != 1 {
		t.Errorf("doors %v, judges %v", got.Doors, got.Judges)
	}
	if got.JudgeTime != (Times{1, 50, 50, 50}) || got.WholeTime != (Times{1, 70, 70, 70}) {
		t.Errorf("times %+v and %+v, want those of the judged one", got.JudgeTime, got.WholeTime)
	}
}
