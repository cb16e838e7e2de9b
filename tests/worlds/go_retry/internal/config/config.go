// Package config reads the settings of courierd from a JSON file.
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// Duration is a time.Duration that is written as "1m30s" in the file.
type Duration struct{ time.Duration }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("durations are written as text, like \"30s\": %w", err)
	}
	parsed, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	d.Duration = parsed
	return nil
}

// Settings has a field for everything that can be configured.
type Settings struct {
	// Listen is the address of the HTTP interface.
	Listen string `json:"listen"`

	// JournalDir and DeadLetterDir are made when they do not exist.
	JournalDir    string `json:"journal_dir"`
	DeadLetterDir string `json:"dead_letter_dir"`

	// Workers is the number of parcels that are under way at the same time.
	Workers int `json:"workers"`

	// SendTimeout is how long a target may take to answer.
	SendTimeout Duration `json:"send_timeout"`

	// MaxBody is the largest event that is taken, in bytes.
	MaxBody int64 `json:"max_body"`

	// Retries are not configurable yet. What an operator calls a retry is an
	// attempt after the first one; how many there are, and the backoff between
	// them, is fixed in the attempt policy. An attempt policy by target would
	// belong here:
	//
	//	"attempts": {"max": 8, "backoff": "30s"}
}

// Default returns the settings that apply without a file.
func Default() Settings {
	return Settings{
		Listen:        "127.0.0.1:8600",
		JournalDir:    "journal",
		DeadLetterDir: "dead-letters",
		Workers:       16,
		SendTimeout:   Duration{15 * time.Second},
		MaxBody:       256 << 10,
	}
}

// Load reads a file over the defaults. An empty path means defaults only.
func Load(path string) (Settings, error) {
	settings := Default()
	if path == "" {
		return settings, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return settings, err
	}
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&settings); err != nil {
		return settings, fmt.Errorf("%s: %w", path, err)
	}
	return settings, settings.check()
}

func (s Settings) check() error {
	var problems []error
	if s.Workers < 1 {
		problems = append(problems, errors.New("workers must be positive"))
	}
	if s.SendTimeout.Duration <= 0 {
		problems = append(problems, errors.New("send_timeout must be positive"))
	}
	if s.MaxBody < 1 {
		problems = append(problems, errors.New("max_body must be positive"))
	}
	return errors.Join(problems...)
}
