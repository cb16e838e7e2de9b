package dispatch

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"example.org/courier/internal/clock"
	"example.org/courier/internal/event"
)

// Parcel is an event on its way to one target.
type Parcel struct {
	ID       string
	TargetID string
	Event    event.Event
	// Attempts counts how often the parcel was posted so far.
	Attempts int
	Due      time.Time
}

// Queue holds parcels in the order in which they are due.
type Queue struct {
	mu     sync.Mutex
	clock  clock.Clock
	items  parcelHeap
	wakeup chan struct{}
}

// NewQueue returns an empty queue.
func NewQueue(c clock.Clock) *Queue {
	return &Queue{clock: c, wakeup: make(chan struct{}, 1)}
}

// Put adds a parcel. One that is due already is taken next.
func (q *Queue) Put(p Parcel) {
	q.mu.Lock()
	heap.Push(&q.items, p)
	q.mu.Unlock()
	select {
	case q.wakeup <- struct{}{}:
	default:
	}
}

// Take waits until a parcel is due. It returns false when the context ends.
func (q *Queue) Take(ctx context.Context) (Parcel, bool) {
	for {
		parcel, wait, ok := q.next()
		if ok {
			return parcel, true
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return Parcel{}, false
		case <-q.wakeup:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// Len is the number of parcels that wait, due or not.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items)
}

func (q *Queue) next() (Parcel, time.Duration, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return Parcel{}, time.Minute, false
	}
	if wait := q.items[0].Due.Sub(q.clock.Now()); wait > 0 {
		return Parcel{}, wait, false
	}
	return heap.Pop(&q.items).(Parcel), 0, true
}

type parcelHeap []Parcel

func (h parcelHeap) Len() int           { return len(h) }
func (h parcelHeap) Less(i, j int) bool { return h[i].Due.Before(h[j].Due) }
func (h parcelHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *parcelHeap) Push(x any)        { *h = append(*h, x.(Parcel)) }
func (h *parcelHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
