// Command courierctl looks at a running courierd and at the files it writes.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"
)

const usage = `usage: courierctl [-server URL] COMMAND

commands:
  health          how many parcels are waiting
  letters DIR     list the dead letters in a folder
  show FILE       print the body of one dead letter
`

type letter struct {
	Parcel string `json:"parcel"`
	URL    string `json:"url"`
	Event  struct {
		Kind     string          `json:"kind"`
		Received time.Time       `json:"received"`
		Body     json.RawMessage `json:"body"`
	} `json:"event"`
}

var errUsage = errors.New("wrong arguments")

func main() {
	server := flag.String("server", "http://127.0.0.1:8600", "where courierd listens")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	flag.Parse()
	switch err := run(*server, flag.Args(), os.Stdout); {
	case errors.Is(err, errUsage):
		flag.Usage()
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "courierctl:", err)
		os.Exit(1)
	}
}

func run(server string, arguments []string, out io.Writer) error {
	switch {
	case len(arguments) == 1 && arguments[0] == "health":
		return health(server, out)
	case len(arguments) == 2 && arguments[0] == "letters":
		return list(arguments[1], out)
	case len(arguments) == 2 && arguments[0] == "show":
		one, err := read(arguments[1])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s\n", one.Event.Body)
		return err
	}
	return errUsage
}

func health(server string, out io.Writer) error {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(server + "/healthz")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", response.Status)
	}
	_, err = io.Copy(out, response.Body)
	return err
}

func list(dir string, out io.Writer) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PARCEL\tKIND\tRECEIVED\tURL")
	for _, name := range names {
		one, err := read(name)
		if err != nil {
			return err
		}
		received := one.Event.Received.Format(time.RFC3339)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", one.Parcel, one.Event.Kind, received, one.URL)
	}
	return table.Flush()
}

func read(name string) (letter, error) {
	var one letter
	data, err := os.ReadFile(name)
	if err != nil {
		return one, err
	}
	if err := json.Unmarshal(data, &one); err != nil {
		return one, fmt.Errorf("%s: %w", name, err)
	}
	return one, nil
}
