package proc

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// drainDelay is how long output is waited for after the group is gone: only a process that left the group can still hold
// the pipe open then.
const drainDelay = 500 * time.Millisecond

// streams carries the output of one process to its writers.
type streams struct {
	writeEnds []*os.File
	readEnds  []*os.File
	copying   sync.WaitGroup

	mu  sync.Mutex
	err error // the first error of a writer
}

// connect gives cmd its standard streams. Files are handed to the process itself, other writers are fed by pipes.
func connect(cmd *exec.Cmd, stdout, stderr io.Writer) (*streams, error) {
	s := &streams{}
	var err error
	if cmd.Stdout, err = s.feed(stdout); err != nil {
		return nil, err
	}
	if same(stdout, stderr) {
		cmd.Stderr = cmd.Stdout
		return s, nil
	}
	if cmd.Stderr, err = s.feed(stderr); err != nil {
		s.started()
		s.finish()
		return nil, err
	}
	return s, nil
}

// same reports whether both are one writer, which two copiers must not use at once.
func same(a, b io.Writer) bool {
	defer func() { _ = recover() }() // writers of a type that cannot be compared are not the same
	return a != nil && a == b
}

// feed returns what the process writes to so that w gets it.
func (s *streams) feed(w io.Writer) (io.Writer, error) {
	switch w := w.(type) {
	case nil:
		return nil, nil
	case *os.File:
		return w, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	s.readEnds, s.writeEnds = append(s.readEnds, read), append(s.writeEnds, write)
	s.copying.Go(func() { s.copy(w, read) })
	return write, nil
}

// copy ends with the pipe. When the writer fails, the pipe is closed, so that the process learns of it.
func (s *streams) copy(w io.Writer, read *os.File) {
	writer := &watched{w: w}
	_, _ = io.Copy(writer, read)
	_ = read.Close()
	if writer.err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.err == nil {
			s.err = fmt.Errorf("keeping the output: %w", writer.err)
		}
	}
}

// started closes this process's copies of the write ends, which are the child's now.
func (s *streams) started() {
	for _, end := range s.writeEnds {
		_ = end.Close()
	}
}

// finish waits until everything that was written has been copied, at most drainDelay, and returns a writer's error.
func (s *streams) finish() error {
	limit := time.AfterFunc(drainDelay, func() {
		for _, end := range s.readEnds {
			_ = end.SetReadDeadline(time.Now())
		}
	})
	s.copying.Wait()
	limit.Stop()
	return s.err
}

// watched tells an error of the writer from one of the pipe.
type watched struct {
	w   io.Writer
	err error
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}
