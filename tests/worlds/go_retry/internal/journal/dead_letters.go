package journal

import (
	"encoding/json"
	"os"
	"path/filepath"

	"example.org/courier/internal/event"
)

// DeadLetters is a folder of parcels that no target has taken.
type DeadLetters struct {
	Dir string
}

type letter struct {
	Parcel string      `json:"parcel"`
	URL    string      `json:"url"`
	Event  event.Event `json:"event"`
}

// Keep writes one letter. Writing it twice is harmless.
func (d DeadLetters) Keep(parcel, url string, e event.Event) error {
	if err := os.MkdirAll(d.Dir, 0o750); err != nil {
		return err
	}
	data, err := json.MarshalIndent(letter{Parcel: parcel, URL: url, Event: e}, "", "  ")
	if err != nil {
		return err
	}
	name := filepath.Join(d.Dir, parcel+".json")
	if err := os.WriteFile(name+".new", append(data, '\n'), 0o640); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// Count returns the number of letters, zero when the folder does not exist.
func (d DeadLetters) Count() int {
	names, err := filepath.Glob(filepath.Join(d.Dir, "*.json"))
	if err != nil {
		return 0
	}
	return len(names)
}
