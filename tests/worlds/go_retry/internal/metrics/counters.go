// Package metrics counts things and shows them in the Prometheus text format.
package metrics

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
)

// The namespace is not configurable on purpose: dashboards are shared.
const namespace = "courier_"

type summary struct {
	count int64
	sum   float64
}

// Counters holds counters and summaries by name. The zero value is not usable.
type Counters struct {
	mu        sync.Mutex
	counts    map[string]int64
	summaries map[string]summary
}

// New returns counters that are all zero.
func New() *Counters {
	return &Counters{counts: make(map[string]int64), summaries: make(map[string]summary)}
}

// Inc adds one to a counter, which is made on first use.
func (c *Counters) Inc(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[name]++
}

// Observe adds a value to a summary.
func (c *Counters) Observe(name string, value float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.summaries[name]
	s.count++
	s.sum += value
	c.summaries[name] = s
}

// Count returns the value of a counter.
func (c *Counters) Count(name string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[name]
}

// ServeHTTP implements http.Handler. Names come out sorted, so that two scrapes
// can be compared by eye.
func (c *Counters) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	for _, name := range slices.Sorted(maps.Keys(c.counts)) {
		fmt.Fprintf(w, "%s%s_total %d\n", namespace, name, c.counts[name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.summaries)) {
		s := c.summaries[name]
		fmt.Fprintf(w, "%s%s_count %d\n", namespace, name, s.count)
		fmt.Fprintf(w, "%s%s_sum %g\n", namespace, name, s.sum)
	}
}
