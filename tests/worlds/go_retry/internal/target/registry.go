package target

import (
	"crypto/rand"
	"encoding/base64"
	"maps"
	"slices"
	"sync"
)

// Registry holds the targets of this process.
type Registry struct {
	mu      sync.RWMutex
	targets map[string]Target
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{targets: make(map[string]Target)}
}

// Put adds a target or replaces one. A new one gets a secret, an old one keeps
// the secret it has.
func (r *Registry) Put(t Target) (Target, error) {
	if err := t.Check(); err != nil {
		return Target{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if old, ok := r.targets[t.ID]; ok {
		t.Secret = old.Secret
	} else {
		t.Secret = newSecret()
	}
	r.targets[t.ID] = t
	return t, nil
}

// Get returns a target by its id.
func (r *Registry) Get(id string) (Target, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	t, ok := r.targets[id]
	return t, ok
}

// Remove forgets a target. Parcels for it are dropped when they are due.
func (r *Registry) Remove(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.targets, id)
}

// Wanting returns the targets that want a kind, in the order of their ids.
func (r *Registry) Wanting(kind string) []Target {
	return r.filter(func(t Target) bool { return t.Wants(kind) })
}

// All returns every target, in the order of their ids.
func (r *Registry) All() []Target {
	return r.filter(func(Target) bool { return true })
}

func (r *Registry) filter(keep func(Target) bool) []Target {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var kept []Target
	for _, id := range slices.Sorted(maps.Keys(r.targets)) {
		if t := r.targets[id]; keep(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

func newSecret() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:])
	return base64.RawURLEncoding.EncodeToString(raw[:])
}
