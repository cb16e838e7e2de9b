package target

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// saved is a target in the file. Secrets are part of it, so the file must not be
// readable by others.
type saved struct {
	ID     string   `json:"id"`
	URL    string   `json:"url"`
	Kinds  []string `json:"kinds"`
	Secret string   `json:"secret"`
}

// Save writes all targets to a file, sorted by id, so that two versions of it
// can be compared.
func (r *Registry) Save(path string) error {
	all := make([]saved, 0)
	for _, t := range r.All() {
		all = append(all, saved{ID: t.ID, URL: t.URL, Kinds: t.Kinds, Secret: t.Secret})
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Restore reads what Save has written. Nothing happens when there is no file.
// Targets that would be refused today are refused here too.
func (r *Registry) Restore(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var all []saved
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range all {
		t := Target{ID: s.ID, URL: s.URL, Kinds: s.Kinds, Secret: s.Secret}
		if err := t.Check(); err != nil {
			return fmt.Errorf("%s: target %s: %w", path, s.ID, err)
		}
		r.targets[t.ID] = t
	}
	return nil
}
