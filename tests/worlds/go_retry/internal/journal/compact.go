package journal

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"example.org/courier/internal/event"
)

// CompactStats says what Compact did.
type CompactStats struct {
	Kept    int
	Dropped int
	Saved   int64
}

// Compact rewrites the journal of a folder without the events that came in
// before a certain time. The journal must not be open in another process.
func Compact(dir string, before time.Time) (CompactStats, error) {
	var stats CompactStats
	path := filepath.Join(dir, fileName)
	info, err := os.Stat(path)
	if err != nil {
		return stats, err
	}
	book, err := Open(dir)
	if err != nil {
		return stats, err
	}
	defer book.Close()

	fresh, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o640)
	if err != nil {
		return stats, err
	}
	defer fresh.Close()
	writer := bufio.NewWriter(fresh)
	encoder := json.NewEncoder(writer)
	err = book.Replay(func(e event.Event) error {
		if e.Received.Before(before) {
			stats.Dropped++
			return nil
		}
		stats.Kept++
		return encoder.Encode(e)
	})
	if err != nil {
		return stats, err
	}
	if err := writer.Flush(); err != nil {
		return stats, err
	}
	if err := fresh.Sync(); err != nil {
		return stats, err
	}
	after, err := fresh.Stat()
	if err != nil {
		return stats, err
	}
	stats.Saved = info.Size() - after.Size()
	return stats, os.Rename(path+".new", path)
}
