package proc_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/proc"
)

func child(t *testing.T, act string, args ...string) proc.Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return proc.Command{Argv: append([]string{self}, args...), Env: []string{"CHILD=" + act}}
}

// fifo is a named pipe by which the processes that opened it for writing can be waited for.
type fifo struct {
	path string
	read *os.File
	buf  *bufio.Reader
}

func newFifo(t *testing.T) fifo {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	// Opening for both keeps the open from waiting for a writer; the write end is closed by [fifo.rest].
	read, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close() })
	return fifo{path, read, bufio.NewReader(read)}
}

// holder waits for a process to open the pipe and returns its id.
func (f fifo) holder(t *testing.T) int {
	t.Helper()
	line, err := f.buf.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// awaitAbandoned returns when no other process has the pipe open for writing any more.
func (f fifo) awaitAbandoned(t *testing.T) {
	t.Helper()
	only, err := os.Open(f.path)
	if err != nil {
		t.Fatal(err)
	}
	defer only.Close()
	f.read.Close()
	if _, err := io.Copy(io.Discard, only); err != nil {
		t.Error(err)
	}
}

func TestRun(t *testing.T) {
	t.Run("ExitCode", func(t *testing.T) {
		exit, err := proc.Run(t.Context(), child(t, "exit3"))
		if err != nil || exit.Code != 3 || exit.Signal != 0 || exit.TimedOut || exit.Duration <= 0 {
			t.Errorf("got %+v, %v", exit, err)
		}
	})
	t.Run("Signal", func(t *testing.T) {
		exit, err := proc.Run(t.Context(), child(t, "abort"))
		if err != nil || exit.Code != -1 || exit.Signal != syscall.SIGKILL {
			t.Errorf("got %+v, %v", exit, err)
		}
	})
	t.Run("EnvironmentDirectoryAndInput", func(t *testing.T) {
		t.Setenv("LEAKED", "yes")
		var stdout, stderr bytes.Buffer
		c := child(t, "environ")
		c.Dir, _ = filepath.EvalSymlinks(t.TempDir())
		c.Stdout, c.Stderr = &stdout, &stderr
		if _, err := proc.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if got, want := stdout.String(), "CHILD=environ "+c.Dir+"\n"; got != want {
			t.Errorf("environment and directory are %q, want %q", got, want)
		}
		if got := stderr.String(); got != "0 EOF\n" {
			t.Errorf("reading standard input gave %q", got)
		}
	})
	t.Run("OneWriterForBothStreams", func(t *testing.T) {
		var both bytes.Buffer
		c := child(t, "environ")
		c.Stdout, c.Stderr = &both, &both
		if _, err := proc.Run(t.Context(), c); err != nil || !strings.HasSuffix(both.String(), "0 EOF\n") {
			t.Errorf("got %q, %v", both.String(), err)
		}
	})
	t.Run("ErrWriterFailed", func(t *testing.T) {
		c := child(t, "flood")
		full := errors.New("no space")
		c.Stdout = writerFunc(func([]byte) (int, error) { return 0, full })
		if _, err := proc.Run(t.Context(), c); !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestRunStops(t *testing.T) {
	t.Run("AtTheTimeout", func(t *testing.T) {
		c := child(t, "sleep")
		c.Timeout = time.Millisecond
		exit, err := proc.Run(t.Context(), c)
		if err != nil || !exit.TimedOut || exit.Signal != syscall.SIGTERM {
			t.Errorf("got %+v, %v", exit, err)
		}
	})
	for _, act := range []string{"fork", "ignore"} {
		t.Run("TheGroupOf_"+act, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			cause := errors.New("enough")
			held := newFifo(t)
			c := child(t, act, held.path)
			c.Grace = time.Millisecond
			c.Stdout = io.Discard
			ready := make(chan struct{})
			go func() { held.holder(t); cancel(cause); close(ready) }()
			_, err := proc.Run(ctx, c)
			<-ready
			if !errors.Is(err, cause) {
				t.Errorf("got %v, want the cause", err)
			}
			held.awaitAbandoned(t)
		})
	}
	t.Run("WhatTheLeaderLeftBehind", func(t *testing.T) {
		held := newFifo(t)
		c := child(t, "leave", held.path)
		c.Stdout = io.Discard
		if exit, err := proc.Run(t.Context(), c); err != nil || exit.Code != 0 {
			t.Errorf("got %+v, %v", exit, err)
		}
		held.awaitAbandoned(t)
	})
	t.Run("ReadingFromOneThatLeftTheGroup", func(t *testing.T) {
		held := newFifo(t)
		c := child(t, "emigrate", held.path)
		c.Stdout = io.Discard
		exit, err := proc.Run(t.Context(), c)
		if err != nil || exit.Code != 0 {
			t.Errorf("got %+v, %v", exit, err)
		}
		if err := syscall.Kill(held.holder(t), syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	})
	t.Run("BeforeItStarts", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := proc.Run(ctx, proc.Command{}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRunResolvesTheProgram(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("script", "#!/bin/sh\nexit 7\n", 0o700)
	write("plain", "#!/bin/sh\n", 0o600)
	write("garbage", "\x00\x01\x02", 0o700)
	write("orphan", "#!/no/such/interpreter\n", 0o700)

	for name, argv0 := range map[string]string{
		"NotInPath": "no-such-program", "NoSuchFile": "./absent", "Directory": dir, "NotExecutable": "./plain",
		"NotExecutableInPath": "plain", "NotAProgram": "./garbage", "NoInterpreter": "./orphan", "BelowAFile": "./plain/x",
		"TooLong": strings.Repeat("x", 5000),
	} {
		t.Run("Err"+name, func(t *testing.T) {
			_, err := proc.Run(t.Context(), proc.Command{Argv: []string{argv0}, Dir: dir, Env: []string{"PATH=" + dir}})
			fault, ok := errors.AsType[*contracts.Fault](err)
			if !ok || fault.Kind != contracts.FaultToolNotResolved || fault.Detail["program"] != argv0 {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(fault.Message, strconv.Quote(argv0)) {
				t.Errorf("the message does not name the program: %s", fault.Message)
			}
		})
	}
	for name, c := range map[string]proc.Command{
		"InDir":          {Argv: []string{"./script"}, Dir: dir},
		"LastPathWins":   {Argv: []string{"script"}, Env: []string{"PATH=/nowhere", "PATH=" + dir}},
		"InALaterEntry":  {Argv: []string{"script"}, Env: []string{"PATH=/nowhere:" + dir}},
		"ByAbsolutePath": {Argv: []string{filepath.Join(dir, "script")}},
	} {
		t.Run(name, func(t *testing.T) {
			if exit, err := proc.Run(t.Context(), c); err != nil || exit.Code != 7 {
				t.Errorf("got %+v, %v", exit, err)
			}
		})
	}
	t.Run("ErrRelativePathEntry", func(t *testing.T) {
		_, err := proc.Run(t.Context(), proc.Command{Argv: []string{"script"}, Dir: dir, Env: []string{"PATH=.:"}})
		if _, ok := errors.AsType[*contracts.Fault](err); !ok {
			t.Errorf("got %v", err)
		}
	})
	for name, c := range map[string]proc.Command{
		"Empty":      {},
		"Blank":      {Argv: []string{""}},
		"ZeroByte":   {Argv: []string{"/bin/sh", "a\x00b"}},
		"ZeroInEnv":  {Argv: []string{"/bin/sh"}, Env: []string{"A=\x00"}},
		"MissingDir": {Argv: []string{"/bin/sh"}, Dir: filepath.Join(dir, "absent")},
		"FileAsDir":  {Argv: []string{"/bin/sh"}, Dir: filepath.Join(dir, "plain")},
	} {
		t.Run("ErrNotTheProgram_"+name, func(t *testing.T) {
			_, err := proc.Run(t.Context(), c)
			if _, ok := errors.AsType[*contracts.Fault](err); ok || err == nil {
				t.Errorf("got %v, want an error that is no fault", err)
			}
		})
	}
}

// supervise runs a holder and never comes back by itself.
func supervise(fifo string) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	_, err = proc.Run(context.Background(), proc.Command{Argv: []string{self, fifo}, Env: []string{"CHILD=hold"}})
	panic(err)
}

func TestChildEndsWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this kernel has no signal at the parent's death")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	held := newFifo(t)
	parent := exec.Command(self, held.path)
	parent.Env = []string{"CHILD=supervise"}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	held.holder(t)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	held.awaitAbandoned(t)
}
