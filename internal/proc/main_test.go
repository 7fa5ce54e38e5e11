package proc_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary is also the child: CHILD names what it does.
func TestMain(m *testing.M) {
	if act, ok := children[os.Getenv("CHILD")]; ok {
		act(os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

var children = map[string]func(args []string){
	"exit3": func([]string) { os.Exit(3) },
	"abort": func([]string) { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Hour) },
	"environ": func([]string) {
		dir, _ := os.Getwd()
		fmt.Println(strings.Join(os.Environ(), "|"), dir)
		n, err := os.Stdin.Read(make([]byte, 1))
		fmt.Fprintln(os.Stderr, n, err)
	},
	"flood":    func([]string) { fmt.Print(strings.Repeat("x", 1<<20)) },
	"sleep":    func([]string) { time.Sleep(time.Hour) },
	"hold":     func(args []string) { hold(args[0]) },
	"stubborn": func(args []string) { signal.Ignore(syscall.SIGTERM); hold(args[0]) },
	"fork":     func(args []string) { fork("stubborn", args[0], false); time.Sleep(time.Hour) },
	"ignore": func(args []string) {
		signal.Ignore(syscall.SIGTERM)
		fork("stubborn", args[0], false)
		time.Sleep(time.Hour)
	},
	"leave":     func(args []string) { fork("stubborn", args[0], false) },
	"emigrate":  func(args []string) { fork("hold", args[0], true) },
	"supervise": func(args []string) { supervise(args[0]) },
}

// hold opens the named pipe for as long as it lives, and says so in it.
func hold(fifo string) {
	pipe, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(pipe, os.Getpid())
	time.Sleep(time.Hour)
	pipe.Close()
}

// fork leaves a grandchild behind; one that emigrates is in a session of its own.
func fork(act, fifo string, emigrates bool) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, fifo)
	cmd.Env = []string{"CHILD=" + act}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: emigrates}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}
