// Package journal writes events to disk before anything else happens to them.
package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"example.org/courier/internal/event"
)

const fileName = "events.jsonl"

// Journal is an append-only file of events, one a line.
type Journal struct {
	mu   sync.Mutex
	file *os.File
}

// Open makes the folder and the file when they do not exist.
func Open(dir string) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, fileName), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o640)
	if err != nil {
		return nil, err
	}
	return &Journal{file: file}, nil
}

// Append writes an event and waits until it is on disk.
func (j *Journal) Append(e event.Event) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return j.file.Sync()
}

// Replay calls f for each event in the file. A line that was cut off by a crash
// ends the replay without an error.
func (j *Journal) Replay(f func(event.Event) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	reader := bufio.NewReader(j.file)
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var e event.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if err := f(e); err != nil {
			return err
		}
	}
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }
