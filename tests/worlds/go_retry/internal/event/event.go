// Package event describes what comes in.
package event

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"time"
)

// Event is something that happened somewhere else.
type Event struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Received time.Time       `json:"received"`
	Body     json.RawMessage `json:"body"`
}

var kindPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$`)

var (
	// ErrKind is returned for kinds that are not words with points in between.
	ErrKind = errors.New("kind must look like order.placed")
	// ErrBody is returned when there is no body or it is not JSON.
	ErrBody = errors.New("body must be JSON")
)

// New checks what came in and gives it an id.
func New(kind string, body json.RawMessage, at time.Time) (Event, error) {
	if !kindPattern.MatchString(kind) {
		return Event{}, ErrKind
	}
	if len(body) == 0 || !json.Valid(body) {
		return Event{}, ErrBody
	}
	return Event{ID: NewID(), Kind: kind, Received: at.UTC(), Body: body}, nil
}

// NewID returns 16 random bytes in hex.
func NewID() string {
	var raw [16]byte
	// crypto/rand never fails on the systems we run on.
	_, _ = rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// Summary is an event without its body, for lists and log lines.
type Summary struct {
	ID       string    `json:"id"`
	Kind     string    `json:"kind"`
	Received time.Time `json:"received"`
	Bytes    int       `json:"bytes"`
}

// Summarise drops the body and keeps its size.
func (e Event) Summarise() Summary {
	return Summary{ID: e.ID, Kind: e.Kind, Received: e.Received, Bytes: len(e.Body)}
}
