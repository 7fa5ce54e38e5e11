package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

func TestRunCheckOfACommand(t *testing.T) {
	site := newSite(t, map[string]string{
		"data":       "content\n",
		"run.sh":     "#!/bin/sh\necho ran\n",
		"broken.sh":  "#!/nonexistent/interpreter\n",
		"private.go": "x",
	})
	tests := []struct {
		name  string
		check contracts.Check
		want  string
	}{
		{"passes", contracts.Check{Command: "true"}, "pass"},
		{"fails", contracts.Check{Command: "false"}, "fail"},
		{"runs in the worktree", contracts.Check{Command: "cat data", ExpectedOutputContains: "content"}, "pass"},
		{"a program of the worktree", contracts.Check{Command: "./run.sh", ExpectedOutputContains: "ran"}, "pass"},
		{"expected exit code", contracts.Check{Command: "sh -c 'exit 3'", ExpectedExitCode: 3}, "pass"},
		{"another exit code", contracts.Check{Command: "sh -c 'exit 4'", ExpectedExitCode: 3}, "fail"},
		{"success where failure is expected", contracts.Check{Command: "true", ExpectedExitCode: 1}, "fail"},
		{"expected output", contracts.Check{Command: "echo Hello World", ExpectedOutputContains: "hello world"}, "pass"},
		{"expected output on stderr", contracts.Check{Command: "sh -c 'echo WARN >&2'", ExpectedOutputContains: "warn"}, "pass"},
		{"other output", contracts.Check{Command: "echo hello", ExpectedOutputContains: "goodbye"}, "fail"},
		{"no output", contracts.Check{Command: "true", ExpectedOutputContains: "x"}, "fail"},
		{"expected output, but it fails", contracts.Check{Command: "sh -c 'echo ok; exit 1'", ExpectedOutputContains: "ok"}, "fail"},
		{"nothing is expanded", contracts.Check{Command: "echo $HOME", ExpectedOutputContains: "$HOME"}, "pass"},
		{"standard input is empty", contracts.Check{Command: "cat"}, "pass"},
		{"ended by a signal", contracts.Check{Command: "sh -c 'kill -KILL $$'"}, "fail"},
		{"no such program", contracts.Check{Command: "nosuchprogram-xyz --version"}, "fault tool-not-resolved"},
		{"no such path", contracts.Check{Command: "./nosuch"}, "fault tool-not-resolved"},
		{"not executable", contracts.Check{Command: "./data"}, "fault tool-not-resolved"},
		{"no such interpreter", contracts.Check{Command: "./broken.sh"}, "fault tool-not-resolved"},
		{"not found by a shell", contracts.Check{Command: "sh -c 'nosuchprogram-xyz'"}, "fault tool-not-resolved"},
		{"127 as expected", contracts.Check{Command: "sh -c 'exit 127'", ExpectedExitCode: 127}, "pass"},
		{"past its deadline", contracts.Check{Command: "sleep 60", TimeoutMs: 50}, "fault timeout"},
		{
			"a registry out of reach",
			contracts.Check{Command: "sh -c 'echo npm error network request failed >&2; exit 1'"}, "fault validator-unreachable",
		},
		{"a registry out of reach, but it passes", contracts.Check{Command: "echo npm error network request failed"}, "pass"},
		{
			"a registry out of reach, and success without the output",
			contracts.Check{Command: "echo npm error network request failed", ExpectedOutputContains: "added 1 package"}, "fail",
		},
		{"its own refused connection", contracts.Check{Command: "sh -c 'echo connect ECONNREFUSED 127.0.0.1:80; exit 1'"}, "fail"},
		{"binary output", contracts.Check{Command: `sh -c 'printf "\377\376\000ok\377"'`, ExpectedOutputContains: "ok"}, "pass"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result, err := evidence.RunCheck(t.Context(), site, tt.check)
			if got := verdictOf(result, err); got != tt.want {
				t.Fatalf("it ended in %s (%v, %s), want %s", got, err, result.Reason, tt.want)
			}
			if err == nil && (result.Reason == "" || result.Kind != evidence.KindCommand || len(result.Argv) == 0) {
				t.Errorf("the result says too little: %+v", result)
			}
			if !utf8.ValidString(result.OutputTail) {
				t.Errorf("the tail %q is not UTF-8", result.OutputTail)
			}
		})
	}
}

func TestFaultsNameTheProgram(t *testing.T) {
	for _, command := range []string{"nosuchprogram-xyz", "sh -c 'nosuchprogram-xyz; exit 127'"} {
		_, err := evidence.RunCheck(t.Context(), newSite(t, nil), contracts.Check{Command: command})
		if err == nil || !strings.Contains(err.Error(), "nosuchprogram-xyz") {
			t.Errorf("%s: the error %v does not name the program", command, err)
		}
	}
}

func TestTheEnvironmentIsTheSitesAlone(t *testing.T) {
	t.Setenv("EVIDENCE_TEST_LEAK", "leaked")
	site := newSite(t, nil)
	site.Env = append(site.Env, "GIVEN=yes")
	result, err := evidence.RunCheck(t.Context(), site, contracts.Check{Command: "env"})
	if err != nil || !strings.Contains(result.OutputTail, "GIVEN=yes") || strings.Contains(result.OutputTail, "leaked") {
		t.Errorf("error %v, environment:\n%s", err, result.OutputTail)
	}
}

func TestTheTailIsTheEndOfTheOutput(t *testing.T) {
	result, err := evidence.RunCheck(t.Context(), newSite(t, nil), contracts.Check{
		Command: `sh -c 'i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done'`, ExpectedOutputContains: "line 7\n",
	})
	if err != nil || !result.OK {
		t.Fatalf("it ended in %s: %v", verdictOf(result, err), err)
	}
	if tail := result.OutputTail; len(tail) > 2048 || len(tail) < 2000 || !strings.HasSuffix(tail, "line 19999\n") {
		t.Errorf("the tail has %d bytes and ends in %q", len(tail), tail[max(0, len(tail)-20):])
	}
}

func TestRunCheckOfAtoms(t *testing.T) {
	site := newSite(t, map[string]string{"go.mod": "module m\n"})
	write(t, filepath.Join(site.Dir, ".cleo", "project-context.json"),
		`{"testing":{"command":"true"},"build":{"command":"false"},"lint":{"command":"nosuchprogram-xyz"},
		"typecheck":{"command":"sleep 60"},"audit":{"command":"sleep 0.3"}}`)
	tests := []struct{ name, atoms, want, reason string }{
		{"one", "files:go.mod", "pass", "hold"},
		{"two", "tool:test;files:go.mod", "pass", "hold"},
		{"one fails", "tool:build", "fail", "tool:build: exit code 1"},
		{"the first fails", "tool:build;files:go.mod", "fail", "tool:build"},
		{"the last fails", "files:go.mod;files:nowhere", "fail", "files:nowhere"},
		{"a fault", "tool:lint", "fault tool-not-resolved", ""},
		{"a fault after a failure", "tool:build;tool:lint", "fault tool-not-resolved", ""},
		{"a deadline", "tool:typecheck", "fault timeout", ""},
		{"a deadline that two atoms share", "tool:audit;tool:audit", "fault timeout", ""},
		{"a deadline after a success", "tool:test;tool:typecheck", "fault timeout", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			check := contracts.Check{Atoms: tt.atoms}
			if strings.Contains(tt.want, "timeout") {
				check.TimeoutMs = 500
			}
			result, err := evidence.RunCheck(t.Context(), site, check)
			if got := verdictOf(result, err); got != tt.want {
				t.Fatalf("it ended in %s (%v), want %s", got, err, tt.want)
			}
			if !strings.Contains(result.Reason, tt.reason) {
				t.Errorf("the reason is %q, want it to say %q", result.Reason, tt.reason)
			}
			if err == nil && len(result.EvidenceRefs()) != strings.Count(tt.atoms, ";")+1 {
				t.Errorf("the references are %q", result.EvidenceRefs())
			}
		})
	}
}

func TestRunCheckEndsWithItsContext(t *testing.T) {
	reason := errors.New("the caller gave up")
	ctx, cancel := context.WithCancelCause(t.Context())
	site := newSite(t, map[string]string{"started.sh": "#!/bin/sh\n: > started\nsleep 60\n"})
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(site.Dir, "started")); err == nil {
				cancel(reason)
			}
		}
	}()
	if _, err := evidence.RunCheck(ctx, site, contracts.Check{Command: "./started.sh"}); !errors.Is(err, reason) {
		t.Errorf("error is %v, want the cause of the context", err)
	}
}

func TestValidateCheck(t *testing.T) {
	tests := []struct {
		name  string
		check contracts.Check
		ok    bool
	}{
		{"a command", contracts.Check{Command: "go test ./..."}, true},
		{"atoms", contracts.Check{Atoms: "tool:test;files:go.mod"}, true},
		{"a command with expectations", contracts.Check{Command: "a", ExpectedExitCode: 2, ExpectedOutputContains: "x", TimeoutMs: 1}, true},
		{"atoms with a bound", contracts.Check{Atoms: "tool:test", TimeoutMs: 1000}, true},
		{"neither", contracts.Check{}, false},
		{"both", contracts.Check{Command: "a", Atoms: "tool:test"}, false},
		{"a blank command", contracts.Check{Command: "  "}, false},
		{"an open quote", contracts.Check{Command: "a 'b"}, false},
		{"a pipe", contracts.Check{Command: "a | b"}, false},
		{"a bad atom", contracts.Check{Atoms: "tool:"}, false},
		{"an unknown kind", contracts.Check{Atoms: "vote:yes"}, false},
		{"a negative bound", contracts.Check{Command: "a", TimeoutMs: -1}, false},
		{"atoms with an exit code", contracts.Check{Atoms: "tool:test", ExpectedExitCode: 1}, false},
		{"atoms with an expected output", contracts.Check{Atoms: "tool:test", ExpectedOutputContains: "x"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := evidence.ValidateCheck(tt.check)
			if (err == nil) != tt.ok {
				t.Fatalf("error is %v, want ok %v", err, tt.ok)
			}
			if err != nil && (contracts.CodeOf(err) != contracts.CodeInvalidInput || contracts.Envelope(err).Fix == "") {
				t.Errorf("error is %v with the fix %q", err, contracts.Envelope(err).Fix)
			}
			if _, runErr := evidence.RunCheck(t.Context(), newSite(t, nil), tt.check); !tt.ok && fmt.Sprint(runErr) != fmt.Sprint(err) {
				t.Errorf("running says %v, validating %v", runErr, err)
			}
		})
	}
}
