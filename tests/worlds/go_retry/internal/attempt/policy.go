// Package attempt decides how often a parcel is posted and how long to wait in
// between.
package attempt

import (
	"errors"
	"net"
	"net/http"
	"time"
)

// Outcome is what came of one attempt.
type Outcome struct {
	// Status is the HTTP status, zero when there was no answer at all.
	Status int
	Err    error
	Took   time.Duration
}

// Taken reports whether the target has the parcel now.
func (o Outcome) Taken() bool {
	return o.Err == nil && o.Status >= 200 && o.Status < 300
}

// Verdict says what happens to a parcel after an attempt.
type Verdict int

const (
	// Done means that nothing is left to do.
	Done Verdict = iota
	// Again means that the parcel is due once more, after the backoff.
	Again
	// GiveUp means that the parcel becomes a dead letter.
	GiveUp
)

// Policy is how persistent we are.
type Policy struct {
	// MaxAttempts counts the first attempt too.
	MaxAttempts int
	Backoff     Backoff
}

// Default is the policy of every target: eight attempts within about an hour.
func Default() Policy {
	return Policy{
		MaxAttempts: 8,
		Backoff:     Backoff{First: 30 * time.Second, Factor: 2, Cap: 20 * time.Minute, Jitter: 0.1},
	}
}

// Judge decides after the attempt with this number, counted from one. The
// duration is the backoff before the next attempt and only means something
// together with Again.
func (p Policy) Judge(number int, outcome Outcome) (Verdict, time.Duration) {
	switch {
	case outcome.Taken():
		return Done, 0
	case hopeless(outcome):
		return GiveUp, 0
	case number >= p.MaxAttempts:
		return GiveUp, 0
	default:
		return Again, p.Backoff.After(number)
	}
}

// hopeless reports whether another attempt would end in the same way.
func hopeless(outcome Outcome) bool {
	switch outcome.Status {
	case http.StatusGone, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
		return true
	}
	var dns *net.DNSError
	if errors.As(outcome.Err, &dns) {
		return dns.IsNotFound
	}
	return false
}
