package dispatch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"example.org/courier/internal/attempt"
	"example.org/courier/internal/sign"
	"example.org/courier/internal/target"
)

// Sender posts one parcel to one target.
type Sender interface {
	Send(ctx context.Context, to target.Target, parcel Parcel) attempt.Outcome
}

type httpSender struct{ client *http.Client }

// NewSender returns a sender over HTTP. Redirects are not followed: a target
// that has moved has to tell us, or its secret would travel to strangers.
func NewSender(timeout time.Duration) Sender {
	return httpSender{client: &http.Client{
		Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}}
}

func (s httpSender) Send(ctx context.Context, to target.Target, parcel Parcel) attempt.Outcome {
	started := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, bytes.NewReader(parcel.Event.Body))
	if err != nil {
		return attempt.Outcome{Err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Courier-Parcel", parcel.ID)
	request.Header.Set("X-Courier-Kind", parcel.Event.Kind)
	request.Header.Set("X-Courier-Signature", sign.Body(to.Secret, parcel.Event.Body))

	response, err := s.client.Do(request)
	if err != nil {
		return attempt.Outcome{Err: err, Took: time.Since(started)}
	}
	defer response.Body.Close()
	// Read a little, so that the connection can be used again.
	_, _ = io.CopyN(io.Discard, response.Body, 4<<10)
	return attempt.Outcome{Status: response.StatusCode, Took: time.Since(started)}
}
