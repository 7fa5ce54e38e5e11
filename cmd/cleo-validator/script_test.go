package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"cleo-validator": func() { os.Exit(realMain()) },
	})
}

// TestScript runs the command-line scripts: real processes of this binary, real git, a real database. The home has no
// git identity, as on a fresh machine.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: false,
		Setup: func(env *testscript.Env) error {
			// Outside of the work directory, which the scripts make a repository.
			home, err := os.MkdirTemp("", "cleo-validator-home-")
			if err != nil {
				return err
			}
			env.Defer(func() { _ = os.RemoveAll(home) })
			env.Setenv("HOME", home)
			env.Setenv("TMPDIR", home)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // a race-enabled binary else takes a second to end
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo":     cmdRepo,
			"commit":   cmdCommit,
			"exitcode": cmdExitCode,
			"acids":    cmdACIDs,
			"rows":     cmdRows,
			"envelope": cmdEnvelope,
		},
	})
}

// cmdRepo makes the current directory a git repository with everything in it committed.
func cmdRepo(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.Exec("git", "init", "--quiet"))
	cmdCommit(ts, false, []string{"first"})
}

// cmdCommit commits everything but .cleo, with an identity of its own.
func cmdCommit(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("git", "add", "--all", "--", ".", ":(exclude).cleo"))
	ts.Check(ts.Exec("git", "-c", "user.name=t", "-c", "user.email=t@t.invalid",
		"commit", "--quiet", "--allow-empty", "-m", strings.Join(args, " ")))
}

// cmdExitCode runs a command and checks its exact exit code; stdout and stderr are left for the commands that look at
// them: exitcode N command args…
func cmdExitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command args…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		code = regexp.MustCompile(`-?\d+`).FindString(exit.ProcessState.String())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// cmdACIDs puts the UUIDs of a task's criteria into the variables AC1, AC2, …: acids TASK
func cmdACIDs(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("cleo-validator", "ac-pull", args[0]))
	pattern := regexp.MustCompile(`"id":"([0-9a-f-]{36})","alias":"(AC\d+)"`)
	for _, match := range pattern.FindAllStringSubmatch(ts.ReadFile("stdout"), -1) {
		ts.Setenv(match[2], match[1])
	}
}

// cmdRows counts the lines of the retry log that hold a text: rows N [text]
func cmdRows(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(".cleo/audit/validator-retries.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		ts.Fatalf("%v", err)
	}
	text := strings.Join(args[1:], " ")
	count := 0
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, text) {
			count++
		}
	}
	if args[0] != strconv.Itoa(count) {
		ts.Fatalf("%d rows hold %q, want %s:\n%s", count, text, args[0], data)
	}
}

// cmdEnvelope writes an attestation that passes every given criterion: envelope FILE TASK AC…
func cmdEnvelope(ts *testscript.TestScript, _ bool, args []string) {
	const instant = "2026-05-25T22:18:00Z"
	var findings []string
	for _, id := range args[2:] {
		findings = append(findings, fmt.Sprintf(
			`{"acId":%q,"status":"pass","reasoning":"ran it","checkedAt":%q}`, id, instant))
	}
	envelope := fmt.Sprintf(
		`{"verdict":"attest","taskId":%q,"validatorId":"validator-a","findings":[%s],"attestedAt":%q,"schemaVersion":"1"}`,
		args[1], strings.Join(findings, ","), instant)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(envelope), 0o600))
}
