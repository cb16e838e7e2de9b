package attempt

import (
	"errors"
	"net"
	"testing"
	"time"
)

func steady() Policy {
	return Policy{MaxAttempts: 3, Backoff: Backoff{First: time.Second, Factor: 3, Cap: 5 * time.Second}}
}

func TestJudge(t *testing.T) {
	cases := []struct {
		name    string
		number  int
		outcome Outcome
		verdict Verdict
		wait    time.Duration
	}{
		{"taken", 1, Outcome{Status: 204}, Done, 0},
		{"first failure", 1, Outcome{Status: 503}, Again, time.Second},
		{"second failure", 2, Outcome{Err: errors.New("connection reset")}, Again, 3 * time.Second},
		{"last failure", 3, Outcome{Status: 503}, GiveUp, 0},
		{"gone", 1, Outcome{Status: 410}, GiveUp, 0},
		{"no such host", 1, Outcome{Err: &net.DNSError{IsNotFound: true}}, GiveUp, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			verdict, wait := steady().Judge(c.number, c.outcome)
			if verdict != c.verdict || wait != c.wait {
				t.Fatalf("got %v after %v, want %v after %v", verdict, wait, c.verdict, c.wait)
			}
		})
	}
}

func TestBackoffIsCapped(t *testing.T) {
	if got := steady().Backoff.After(9); got != 5*time.Second {
		t.Fatalf("got %v", got)
	}
}

func TestBackoffTotal(t *testing.T) {
	// 1s, 3s, and 5s instead of 9s.
	if got := steady().Backoff.Total(4); got != 9*time.Second {
		t.Fatalf("got %v", got)
	}
	if got := steady().Backoff.Total(1); got != 0 {
		t.Fatalf("a single attempt waits for nothing, got %v", got)
	}
}

func TestJitterStaysInItsShare(t *testing.T) {
	backoff := Backoff{First: 10 * time.Second, Factor: 1, Cap: time.Minute, Jitter: 0.2}
	for range 1000 {
		got := backoff.After(1)
		if got < 8*time.Second || got > 12*time.Second {
			t.Fatalf("got %v", got)
		}
	}
}
