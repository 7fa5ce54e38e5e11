// Command cleo-validator decides whether an agent's "done" is true. See the README and the package comment at the root
// of the module.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/google/uuid"
)

func main() { os.Exit(realMain()) }

// realMain is main without the exit, so that deferred clean-up runs and the script tests can call it.
func realMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	host := host{
		in:      os.Stdin,
		out:     os.Stdout,
		err:     os.Stderr,
		environ: os.Environ(),
		now:     time.Now,
		newID:   uuid.NewString,
	}
	return host.run(ctx, os.Args[1:])
}
