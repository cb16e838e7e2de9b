// Package target knows who wants which events.
package target

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"example.org/courier/internal/event"
)

// Target is somebody who wants events.
type Target struct {
	ID     string   `json:"id"`
	URL    string   `json:"url"`
	Kinds  []string `json:"kinds"`
	Secret string   `json:"-"`
}

// Errors of Check.
var (
	ErrURL     = errors.New("url must be absolute and https")
	ErrPrivate = errors.New("url must not point into a private network")
	ErrKinds   = errors.New("kinds must not be empty")
)

// Check refuses targets that could never work or should not.
func (t Target) Check() error {
	parsed, err := url.Parse(t.URL)
	if err != nil || parsed.Scheme != "https" || parsed.Host == "" {
		return ErrURL
	}
	if private(parsed.Hostname()) {
		return ErrPrivate
	}
	if len(t.Kinds) == 0 {
		return ErrKinds
	}
	return nil
}

// Wants reports whether one of the patterns matches.
func (t Target) Wants(kind string) bool {
	for _, pattern := range t.Kinds {
		if event.Matches(pattern, kind) {
			return true
		}
	}
	return false
}

// private is the first line only; the egress proxy is the one that counts.
func private(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".internal") {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	return address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast()
}
