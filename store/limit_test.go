package store

import (
	"os/signal"
	"syscall"
)

// limitFiles keeps every file of this process from growing beyond a few pages.
func limitFiles() error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 9000, Max: 9000})
}
