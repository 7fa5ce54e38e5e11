// Package proc runs one child process under supervision: it always ends in bounded time, and it leaves nothing behind that
// stayed in its process group. Start at [Run].
package proc

import (
	"context"
	"io"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// DefaultGrace is how long a process that was asked to end has before it is killed.
const DefaultGrace = 5 * time.Second

// Command says what to run.
type Command struct {
	// Argv is the program and its arguments. A name without a slash is looked up in the PATH of Env, whose relative
	// entries are passed over; a relative path is looked up in Dir.
	Argv []string
	// Dir is the working directory; empty means that of this process.
	Dir string
	// Env is the whole environment; nothing is inherited.
	Env []string
	// Stdout and Stderr take what the process writes; they may be the same writer. Nil discards it.
	Stdout, Stderr io.Writer
	// Timeout ends the process; zero means that nothing but ctx does.
	Timeout time.Duration
	// Grace is the time between SIGTERM and SIGKILL. Zero means [DefaultGrace].
	Grace time.Duration
}

// Exit is how a process ended.
type Exit struct {
	// Code is the exit code; -1 when a signal ended the process.
	Code int
	// Signal is the signal that ended it; 0 when it exited.
	Signal syscall.Signal
	// TimedOut says that Timeout had passed before it ended.
	TimedOut bool
	// Duration is how long it ran.
	Duration time.Duration
}

// Run starts c and waits for its end. The process leads its own session and process group and reads an empty standard
// input. At the timeout and at the end of ctx the whole group gets SIGTERM, and after the grace SIGKILL; when the leader
// ends, what is left of the group is killed at once.
//
// A program that cannot be found or executed is a [*contracts.Fault] of the kind tool-not-resolved. The end of ctx is
// returned as its cause, after the process is gone. An exit code is no error, whatever it is.
func Run(ctx context.Context, c Command) (Exit, error) {
	if ctx.Err() != nil {
		return Exit{}, context.Cause(ctx)
	}
	program, err := c.Program()
	if err != nil {
		return Exit{}, err
	}
	cmd := &exec.Cmd{
		Path: program, Args: c.Argv, Dir: c.Dir, Env: append([]string{}, c.Env...),
		SysProcAttr: leaderAttributes(),
	}
	out, err := connect(cmd, c.Stdout, c.Stderr)
	if err != nil {
		return Exit{}, c.startError(err)
	}
	// The signal at the parent's death is tied to the thread that started the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	err = cmd.Start()
	out.started()
	if err != nil {
		out.finish()
		return Exit{}, c.startError(err)
	}
	timedOut, cause := c.supervise(ctx, cmd)
	exit := exitOf(cmd, timedOut, time.Since(began))
	if err := out.finish(); err != nil && cause == nil {
		cause = err
	}
	return exit, cause
}

// supervise returns once the process and its group are gone. The cause is that of ctx when ctx ended it.
func (c Command) supervise(ctx context.Context, cmd *exec.Cmd) (timedOut bool, cause error) {
	ended := make(chan struct{})
	go func() {
		awaitExit(cmd)
		close(ended)
	}()
	timer := newTimer(c.Timeout)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		timedOut = true
		c.stop(cmd, ended)
	case <-ctx.Done():
		cause = context.Cause(ctx)
		c.stop(cmd, ended)
	}
	signalGroup(cmd, syscall.SIGKILL)
	_ = cmd.Wait() // how it ended is read from the process state
	awaitGroup(cmd)
	return timedOut, cause
}

// stop ends the group: first asking, then not.
func (c Command) stop(cmd *exec.Cmd, ended <-chan struct{}) {
	signalGroup(cmd, syscall.SIGTERM)
	grace := c.Grace
	if grace <= 0 {
		grace = DefaultGrace
	}
	timer := newTimer(grace)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		signalGroup(cmd, syscall.SIGKILL)
		<-ended
	}
}

// dyingTime bounds the wait for a group that was killed. It is only ever reached when nobody reaps orphans.
const dyingTime = 100 * time.Millisecond

// awaitGroup returns when no process of the group is left: one that was killed takes a moment to die, in which it may yet
// hold a file.
func awaitGroup(cmd *exec.Cmd) {
	for began := time.Now(); time.Since(began) < dyingTime; time.Sleep(time.Millisecond) {
		if err := syscall.Kill(-cmd.Process.Pid, 0); err != nil {
			return
		}
	}
}

// newTimer returns a timer that never fires for a d of zero or less.
func newTimer(d time.Duration) *time.Timer {
	if d > 0 {
		return time.NewTimer(d)
	}
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	return timer
}

// signalGroup signals every process of the group that cmd leads. A group that is gone is no failure.
func signalGroup(cmd *exec.Cmd, signal syscall.Signal) { _ = syscall.Kill(-cmd.Process.Pid, signal) }

func exitOf(cmd *exec.Cmd, timedOut bool, took time.Duration) Exit {
	exit := Exit{Code: -1, TimedOut: timedOut, Duration: took}
	if cmd.ProcessState == nil {
		return exit // Wait failed, which it does for a process that is not ours only
	}
	exit.Code = cmd.ProcessState.ExitCode()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Signal = status.Signal()
	}
	return exit
}
