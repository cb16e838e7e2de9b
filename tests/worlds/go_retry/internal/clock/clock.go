// Package clock makes time replaceable.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time.
type Clock interface {
	Now() time.Time
}

// System is the clock of the machine.
type System struct{}

// Now implements Clock.
func (System) Now() time.Time { return time.Now() }

// Manual stands still until somebody moves it.
type Manual struct {
	mu  sync.Mutex
	now time.Time
}

// NewManual returns a clock that shows a certain time.
func NewManual(at time.Time) *Manual { return &Manual{now: at} }

// Now implements Clock.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance moves the clock forward.
func (m *Manual) Advance(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(by)
}
