package main

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/runtime"
)

func TestEveryOutcomeHasAnExitCode(t *testing.T) {
	seen := map[int]bool{}
	for _, outcome := range runtime.Outcomes() {
		code, ok := exitByOutcome[outcome]
		if !ok || seen[code] {
			t.Errorf("%s has the exit code %d, known %t", outcome, code, ok)
		}
		seen[code] = true
	}
	if len(exitByOutcome) != len(runtime.Outcomes()) {
		t.Errorf("%d outcomes have an exit code, there are %d", len(exitByOutcome), len(runtime.Outcomes()))
	}
}

func TestExitCode(t *testing.T) {
	for code, err := range map[int]error{
		0:   nil,
		1:   contracts.Errorf(contracts.CodeTaskNotFound, "x"),
		2:   fmt.Errorf("wrapped: %w", contracts.Errorf(contracts.CodeInvalidInput, "x")),
		20:  exitStatus(exitHITL),
		21:  exitStatus(exitPermanent),
		108: contracts.Errorf(contracts.CodeCoverageStale, "x"),
		130: context.Canceled,
	} {
		if got := exitCode(err); got != code {
			t.Errorf("%v exits %d, want %d", err, got, code)
		}
	}
	if got := exitCode(fmt.Errorf("no code")); got != 1 {
		t.Errorf("an error without a code exits %d", got)
	}
}

// TestEveryCommandIsDocumented holds each command to a short text, a long one and an example.
func TestEveryCommandIsDocumented(t *testing.T) {
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		if cmd.Short == "" || cmd.Long == "" || cmd.Example == "" {
			t.Errorf("%s lacks a short text, a long text or an example", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRoot(host{out: &bytes.Buffer{}, err: &bytes.Buffer{}}))
}

func TestOneLineKeepsForeignTextHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"plain":             "plain",
		" a\nb\tc\r":        "a b c",
		"red \x1b[31mink":   "red �[31mink",
		"bell\a and \u009b": "bell� and �",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("oneLine(%q) is %q, want %q", in, got, want)
		}
	}
}
