package attempt

import (
	"math"
	"math/rand/v2"
	"time"
)

// Backoff is the waiting time between attempts. It grows by a factor until it
// reaches the cap.
type Backoff struct {
	First  time.Duration
	Factor float64
	Cap    time.Duration
	// Jitter spreads the waiting time by up to this share in both directions,
	// so that parcels which failed together do not come back together.
	Jitter float64
}

// After returns the waiting time after the attempt with this number, counted
// from one.
func (b Backoff) After(number int) time.Duration {
	if number < 1 {
		number = 1
	}
	wait := float64(b.First) * math.Pow(b.Factor, float64(number-1))
	if wait > float64(b.Cap) {
		wait = float64(b.Cap)
	}
	return b.spread(time.Duration(wait))
}

// Total is the longest time that passes between the first and the last of so
// many attempts, answers not counted.
func (b Backoff) Total(attempts int) time.Duration {
	plain := b
	plain.Jitter = 0
	var total time.Duration
	for number := 1; number < attempts; number++ {
		total += plain.After(number)
	}
	return total + time.Duration(float64(total)*b.Jitter)
}

func (b Backoff) spread(wait time.Duration) time.Duration {
	if b.Jitter <= 0 {
		return wait
	}
	shift := (rand.Float64()*2 - 1) * b.Jitter
	return wait + time.Duration(float64(wait)*shift)
}
