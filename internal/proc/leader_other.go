//go:build unix && !linux

package proc

import (
	"os/exec"
	"syscall"
)

// leaderAttributes make the child the leader of a session and a group of its own.
func leaderAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// awaitExit returns when the leader has ended.
func awaitExit(cmd *exec.Cmd) { _ = cmd.Wait() }
