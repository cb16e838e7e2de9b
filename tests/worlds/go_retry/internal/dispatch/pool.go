// Package dispatch takes parcels that are due and posts them.
package dispatch

import (
	"context"
	"log/slog"
	"sync"

	"example.org/courier/internal/attempt"
	"example.org/courier/internal/clock"
	"example.org/courier/internal/journal"
	"example.org/courier/internal/metrics"
	"example.org/courier/internal/target"
)

// Options are the parts that a pool is made of.
type Options struct {
	Queue    *Queue
	Registry *target.Registry
	Sender   Sender
	Letters  journal.DeadLetters
	Counters *metrics.Counters
	Clock    clock.Clock
}

// Pool is a number of workers on one queue.
type Pool struct {
	options Options
	// One policy for all targets, for now.
	policy  attempt.Policy
	workers sync.WaitGroup
}

// NewPool returns a pool that does not work yet.
func NewPool(options Options) *Pool {
	return &Pool{options: options, policy: attempt.Default()}
}

// Start lets so many workers loose until the context ends.
func (p *Pool) Start(ctx context.Context, workers int) {
	for range workers {
		p.workers.Add(1)
		go func() {
			defer p.workers.Done()
			for {
				parcel, ok := p.options.Queue.Take(ctx)
				if !ok {
					return
				}
				p.handle(ctx, parcel)
			}
		}()
	}
}

// Wait returns when all workers have stopped.
func (p *Pool) Wait() { p.workers.Wait() }

// handle makes one attempt and does what the policy says afterwards.
func (p *Pool) handle(ctx context.Context, parcel Parcel) {
	destination, ok := p.options.Registry.Get(parcel.TargetID)
	if !ok {
		// The target was removed while the parcel was waiting.
		p.options.Counters.Inc("parcels_orphaned")
		return
	}
	parcel.Attempts++
	outcome := p.options.Sender.Send(ctx, destination, parcel)
	verdict, backoff := p.policy.Judge(parcel.Attempts, outcome)
	p.options.Counters.Observe("send_seconds", outcome.Took.Seconds())

	switch verdict {
	case attempt.Done:
		p.options.Counters.Inc("parcels_taken")
	case attempt.Again:
		parcel.Due = p.options.Clock.Now().Add(backoff)
		p.options.Queue.Put(parcel)
		p.options.Counters.Inc("attempts_failed")
	case attempt.GiveUp:
		p.options.Counters.Inc("parcels_dead")
		if err := p.options.Letters.Keep(parcel.ID, destination.URL, parcel.Event); err != nil {
			slog.Error("dead letter lost", "parcel", parcel.ID, "error", err)
		}
	}
}
