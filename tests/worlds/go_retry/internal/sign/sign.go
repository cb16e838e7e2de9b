// Package sign proves to targets that a parcel comes from us.
package sign

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const prefix = "sha256="

// Body returns the signature of a body, in the form in which it is sent.
func Body(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return prefix + hex.EncodeToString(mac.Sum(nil))
}

// Verify checks a signature in constant time. Targets written in Go use it.
func Verify(secret string, body []byte, signature string) bool {
	given, err := hex.DecodeString(strings.TrimPrefix(signature, prefix))
	if err != nil || !strings.HasPrefix(signature, prefix) {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hmac.Equal(given, mac.Sum(nil))
}
