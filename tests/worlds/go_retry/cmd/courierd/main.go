// Command courierd receives events and hands them to targets.
package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.org/courier/internal/clock"
	"example.org/courier/internal/config"
	"example.org/courier/internal/dispatch"
	"example.org/courier/internal/httpapi"
	"example.org/courier/internal/journal"
	"example.org/courier/internal/metrics"
	"example.org/courier/internal/target"
)

const shutdownGrace = 10 * time.Second

func main() {
	path := flag.String("config", "", "path of a JSON file; defaults apply without one")
	flag.Parse()
	if err := run(*path); err != nil {
		slog.Error("courierd stops", "error", err)
		os.Exit(1)
	}
}

func run(path string) error {
	settings, err := config.Load(path)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	book, err := journal.Open(settings.JournalDir)
	if err != nil {
		return err
	}
	defer book.Close()

	registry := target.NewRegistry()
	counters := metrics.New()
	queue := dispatch.NewQueue(clock.System{})
	letters := journal.DeadLetters{Dir: settings.DeadLetterDir}

	pool := dispatch.NewPool(dispatch.Options{
		Queue:    queue,
		Registry: registry,
		Sender:   dispatch.NewSender(settings.SendTimeout.Duration),
		Letters:  letters,
		Counters: counters,
		Clock:    clock.System{},
	})
	pool.Start(ctx, settings.Workers)

	server := &http.Server{
		Addr:              settings.Listen,
		Handler:           httpapi.New(book, registry, queue, counters, settings.MaxBody),
		ReadHeaderTimeout: 5 * time.Second,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	slog.Info("listening", "address", settings.Listen)

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	pool.Wait()
	return nil
}
