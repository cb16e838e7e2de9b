// Package httpapi is the HTTP interface of courierd.
package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"example.org/courier/internal/dispatch"
	"example.org/courier/internal/event"
	"example.org/courier/internal/journal"
	"example.org/courier/internal/metrics"
	"example.org/courier/internal/target"
)

type server struct {
	book     *journal.Journal
	registry *target.Registry
	queue    *dispatch.Queue
	counters *metrics.Counters
	maxBody  int64
}

// New returns the handler of all paths.
func New(
	book *journal.Journal,
	registry *target.Registry,
	queue *dispatch.Queue,
	counters *metrics.Counters,
	maxBody int64,
) http.Handler {
	s := &server{book: book, registry: registry, queue: queue, counters: counters, maxBody: maxBody}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /events", s.postEvent)
	mux.HandleFunc("GET /targets", s.listTargets)
	mux.HandleFunc("GET /targets/{id}", s.getTarget)
	mux.HandleFunc("PUT /targets/{id}", s.putTarget)
	mux.HandleFunc("DELETE /targets/{id}", s.deleteTarget)
	mux.HandleFunc("GET /healthz", s.health)
	mux.Handle("GET /metrics", counters)
	return mux
}

func (s *server) postEvent(w http.ResponseWriter, r *http.Request) {
	var incoming struct {
		Kind string          `json:"kind"`
		Body json.RawMessage `json:"body"`
	}
	if !s.decode(w, r, &incoming) {
		return
	}
	e, err := event.New(incoming.Kind, incoming.Body, time.Now())
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	if err := s.book.Append(e); err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	wanting := s.registry.Wanting(e.Kind)
	for _, t := range wanting {
		s.queue.Put(dispatch.Parcel{ID: event.NewID(), TargetID: t.ID, Event: e, Due: e.Received})
	}
	s.counters.Inc("events_received")
	answer(w, http.StatusAccepted, map[string]any{"id": e.ID, "parcels": len(wanting)})
}

func (s *server) putTarget(w http.ResponseWriter, r *http.Request) {
	var t target.Target
	if !s.decode(w, r, &t) {
		return
	}
	t.ID = r.PathValue("id")
	saved, err := s.registry.Put(t)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	answer(w, http.StatusOK, map[string]any{"id": saved.ID, "secret": saved.Secret})
}

// listTargets shows everybody, or with ?kind= those who want a kind. Secrets are
// shown once only, when a target is added.
func (s *server) listTargets(w http.ResponseWriter, r *http.Request) {
	found := s.registry.All()
	if kind := r.URL.Query().Get("kind"); kind != "" {
		found = s.registry.Wanting(kind)
	}
	answer(w, http.StatusOK, map[string]any{"targets": found, "count": len(found)})
}

func (s *server) getTarget(w http.ResponseWriter, r *http.Request) {
	t, ok := s.registry.Get(r.PathValue("id"))
	if !ok {
		fail(w, http.StatusNotFound, errors.New("there is no such target"))
		return
	}
	answer(w, http.StatusOK, t)
}

func (s *server) deleteTarget(w http.ResponseWriter, r *http.Request) {
	s.registry.Remove(r.PathValue("id"))
	w.WriteHeader(http.StatusNoContent)
}

func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"waiting": s.queue.Len()})
}

func (s *server) decode(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, s.maxBody)).Decode(into)
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return true
	case errors.As(err, &tooLarge):
		fail(w, http.StatusRequestEntityTooLarge, err)
	default:
		fail(w, http.StatusBadRequest, err)
	}
	return false
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func fail(w http.ResponseWriter, status int, err error) {
	answer(w, status, map[string]string{"error": err.Error()})
}
