package event

import "testing"

func TestMatches(t *testing.T) {
	cases := []struct {
		pattern, kind string
		want          bool
	}{
		{"order.placed", "order.placed", true},
		{"order.*", "order.placed", true},
		{"order.*", "order.line.added", false},
		{"order.**", "order.line.added", true},
		{"order.**", "order", true},
		{"**.added", "order.line.added", true},
		{"*", "order.placed", false},
	}
	for _, c := range cases {
		if got := Matches(c.pattern, c.kind); got != c.want {
			t.Errorf("Matches(%q, %q) = %v", c.pattern, c.kind, got)
		}
	}
}
