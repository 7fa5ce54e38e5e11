package tools_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/tools"
)

// lineage is a history of commits in a row, oldest first; the last one is HEAD. The real git is tested in internal/git
// and through the command line.
type lineage struct{ commits []contracts.Subject }

func (l *lineage) Resolve(context.Context, string) (contracts.Subject, error) {
	if len(l.commits) == 0 {
		return contracts.Subject{}, errors.New("no commit")
	}
	return l.commits[len(l.commits)-1], nil
}

func (l *lineage) Reachable(_ context.Context, commit, from string) (bool, error) {
	for _, c := range l.commits {
		if c.Commit == commit {
			return true, nil
		}
		if c.Commit == from {
			return false, nil
		}
	}
	return false, nil
}

var (
	first   = contracts.Subject{Commit: strings.Repeat("1", 40), Tree: strings.Repeat("a", 40)}
	second  = contracts.Subject{Commit: strings.Repeat("2", 40), Tree: strings.Repeat("b", 40)}
	squash  = contracts.Subject{Commit: strings.Repeat("3", 40), Tree: second.Tree}
	foreign = contracts.Subject{Commit: strings.Repeat("4", 40), Tree: strings.Repeat("c", 40)}
)

func TestGateStaleness(t *testing.T) {
	tests := map[string]struct {
		attested contracts.Subject
		head     []contracts.Subject
		then     func(*bench)
		want     contracts.Code
		reason   string
	}{
		"OKSameCommit":        {attested: first, head: []contracts.Subject{first}},
		"OKAncestor":          {attested: first, head: []contracts.Subject{first, second}},
		"OKSameTree":          {attested: second, head: []contracts.Subject{first, squash}},
		"OKNoGitWhenAttested": {head: []contracts.Subject{first}},
		"StaleRewound":        {attested: second, head: []contracts.Subject{first}, want: contracts.CodeCoverageStale, reason: "not part of"},
		"StaleOtherHistory":   {attested: foreign, head: []contracts.Subject{first, second}, want: contracts.CodeCoverageStale, reason: "not part of"},
		"StaleRejectedLater": {
			attested: first, head: []contracts.Subject{first},
			then: func(b *bench) {
				if _, err := b.reject(rejection("T2", "validator-b", b.ids["T2"]...), validator("y")); err != nil {
					b.t.Fatal(err)
				}
			},
			want: contracts.CodeCoverageStale, reason: "validator-b rejected",
		},
		"OKRejectedThenAttested": {
			attested: first, head: []contracts.Subject{first},
			then: func(b *bench) {
				if _, err := b.reject(rejection("T2", "validator-b", b.ids["T2"]...), validator("y")); err != nil {
					b.t.Fatal(err)
				}
				if _, err := b.attest(attestation("T2", "validator-c", b.ids["T2"]...), validator("z")); err != nil {
					b.t.Fatal(err)
				}
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			history := &lineage{commits: test.head}
			b := newBench(t, func(o *tools.Options) { o.Repository = history })
			judged := *b
			judged.Service = b.At(test.attested)
			if _, err := judged.attest(attestation("T2", "validator-a", b.ids["T2"]...), validator("x")); err != nil {
				t.Fatal(err)
			}
			if test.then != nil {
				test.then(b)
			}
			_, err := b.Gate(t.Context(), "T2")
			wantCode(t, err, test.want)
			if err != nil && !strings.Contains(err.Error(), test.reason) {
				t.Errorf("message %q does not say %q", err, test.reason)
			}
		})
	}
}

func TestGatePolicy(t *testing.T) {
	for _, require := range []tools.Require{tools.RequireAny, tools.RequireValidator} {
		t.Run(string(require), func(t *testing.T) {
			b := newBench(t, func(o *tools.Options) { o.Require = require })
			b.add("T3")
			_, err := b.Gate(t.Context(), "T3")
			want := contracts.Code("")
			if require == tools.RequireValidator {
				want = contracts.CodeCoverageIncomplete
			}
			wantCode(t, err, want)

			if _, err := b.attest(attestation("T2", "validator-a", b.ids["T2"]...), validator("agent-1")); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Gate(t.Context(), "T2"); err != nil {
				t.Fatal(err)
			}
			// The agent turns out to have worked on the task.
			if err := b.store.RecordWorker(t.Context(), "T2", "agent-1"); err != nil {
				t.Fatal(err)
			}
			_, err = b.Gate(t.Context(), "T2")
			wantCode(t, err, want)
		})
	}
	if _, err := tools.ParseRequire("everything"); contracts.CodeOf(err) != contracts.CodeInvalidInput {
		t.Errorf("an unknown policy gave %v", err)
	}
}

func (b *bench) auditLines(file string) []string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.root, ".cleo", "audit", file))
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")[:strings.Count(string(data), "\n")]
}

func (b *bench) status(task string) string {
	b.t.Helper()
	got, err := b.store.Task(b.t.Context(), task)
	if err != nil {
		b.t.Fatal(err)
	}
	return got.Status
}

func TestComplete(t *testing.T) {
	all := func(b *bench) {
		if _, err := b.attest(attestation("T1", "validator-a", b.ids["T1"]...), validator("x")); err != nil {
			b.t.Fatal(err)
		}
	}
	tests := map[string]struct {
		before func(*bench)
		in     tools.CompleteInput
		want   contracts.Code
		via    string
		waiver int // lines in the waiver log
		bypass int // lines in the override log
	}{
		"OKCovered":               {before: all, via: "coverage"},
		"OKCoveredNeedsNoWaiver":  {before: all, in: tools.CompleteInput{Waive: []string{"AC9"}, WaiveReason: "x"}, via: "coverage"},
		"ErrUncovered":            {want: contracts.CodeCoverageIncomplete},
		"ErrWaiverWithoutReason":  {in: tools.CompleteInput{Waive: []string{"AC1"}, WaiveReason: " "}, want: contracts.CodeInvalidInput},
		"OKWaived":                {in: tools.CompleteInput{Waive: []string{"ac1", "AC2", "AC1"}, WaiveReason: "x"}, via: "waiver", waiver: 1},
		"ErrWaivedInPart":         {in: tools.CompleteInput{Waive: []string{"AC1"}, WaiveReason: "x"}, want: contracts.CodeCoverageIncomplete, waiver: 1},
		"ErrWaivedUnknown":        {in: tools.CompleteInput{Waive: []string{"AC1", "AC2", "AC9"}, WaiveReason: "x"}, want: contracts.CodeCoverageIncomplete, waiver: 1},
		"OKOverride":              {in: tools.CompleteInput{Override: true, OverrideReason: "hot fix"}, via: "override", bypass: 1},
		"ErrOverrideNoReason":     {in: tools.CompleteInput{Override: true, OverrideReason: " "}, want: contracts.CodeCoverageIncomplete},
		"ErrReasonNoOverride":     {in: tools.CompleteInput{OverrideReason: "hot fix"}, want: contracts.CodeCoverageIncomplete},
		"ErrOverrideByValidator":  {in: tools.CompleteInput{Override: true, OverrideReason: "x", Role: contracts.RoleValidator}, want: contracts.CodeOverrideForbidden},
		"ErrOverrideByWorker":     {in: tools.CompleteInput{Override: true, OverrideReason: "x", Role: contracts.RoleWorker}, want: contracts.CodeOverrideForbidden},
		"OKOverrideByLead":        {in: tools.CompleteInput{Override: true, OverrideReason: "x", Role: contracts.RoleLead}, via: "override", bypass: 1},
		"ErrAllowStaleUncovered":  {in: tools.CompleteInput{AllowStale: "x"}, want: contracts.CodeCoverageIncomplete},
		"OKAllowStale":            {before: stale, in: tools.CompleteInput{AllowStale: "x"}, via: "stale-allowed", waiver: 1},
		"ErrStale":                {before: stale, want: contracts.CodeCoverageStale},
		"OKOverrideBeforeWaivers": {in: tools.CompleteInput{Override: true, OverrideReason: "x", Waive: []string{"AC1"}, WaiveReason: "y"}, via: "override", bypass: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if test.before != nil {
				test.before(b)
			}
			test.in.TaskID, test.in.Actor = "T1", "ann"
			out, err := b.Complete(t.Context(), test.in)
			wantCode(t, err, test.want)
			if diff := cmp.Diff(test.via, out.Via); diff != "" {
				t.Errorf("via (-want +got):\n%s", diff)
			}
			wantStatus := "pending"
			if err == nil {
				wantStatus = "done"
			}
			if got := b.status("T1"); got != wantStatus {
				t.Errorf("status %q, want %q", got, wantStatus)
			}
			if n := len(b.auditLines("ac-waiver.jsonl")); n != test.waiver {
				t.Errorf("%d waiver lines, want %d", n, test.waiver)
			}
			if n := len(b.auditLines("force-bypass.jsonl")); n != test.bypass {
				t.Errorf("%d override lines, want %d", n, test.bypass)
			}
		})
	}
}

// stale attests T1 and rejects it afterwards.
func stale(b *bench) {
	if _, err := b.attest(attestation("T1", "validator-a", b.ids["T1"]...), validator("x")); err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.reject(rejection("T1", "validator-b", b.ids["T1"]...), validator("y")); err != nil {
		b.t.Fatal(err)
	}
}

func TestCompleteTwiceSaysSo(t *testing.T) {
	b := newBench(t)
	in := tools.CompleteInput{TaskID: "T1", Waive: []string{"AC1", "AC2"}, WaiveReason: "x"}
	if _, err := b.Complete(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	out, err := b.Complete(t.Context(), tools.CompleteInput{TaskID: "T1"})
	if err != nil || !out.AlreadyDone {
		t.Errorf("got %+v, %v; want a no-op that says so", out, err)
	}
	if n := len(b.auditLines("ac-waiver.jsonl")); n != 1 {
		t.Errorf("%d waiver lines, want 1", n)
	}
}

func TestCompleteIsRefusedWhenTheAuditLineCannotBeWritten(t *testing.T) {
	b := newBench(t)
	// A file where the directory belongs: nobody, not even root, can write the log.
	if err := os.WriteFile(filepath.Join(b.root, ".cleo", "audit"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]tools.CompleteInput{
		"waiver":   {TaskID: "T1", Waive: []string{"AC1", "AC2"}, WaiveReason: "x"},
		"override": {TaskID: "T1", Override: true, OverrideReason: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Complete(t.Context(), in)
			wantCode(t, err, contracts.CodeAuditUnavailable)
			if got := b.status("T1"); got != "pending" {
				t.Errorf("status %q, want pending", got)
			}
		})
	}
}

func TestGateErrorHasTheShapeOfCLEOsGate(t *testing.T) {
	b := newBench(t)
	_, err := b.Gate(t.Context(), "T1")
	env := contracts.Envelope(err)
	want := []contracts.UncoveredAC{
		{ACID: b.ids["T1"][0], Alias: "AC1", Text: "one"},
		{ACID: b.ids["T1"][1], Alias: "AC2", Text: "two"},
	}
	if diff := cmp.Diff(want, env.Details["unsatisfied"]); diff != "" {
		t.Errorf("unsatisfied (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{}, env.Details["unresolvedTokens"]); diff != "" {
		t.Errorf("unresolvedTokens (-want +got):\n%s", diff)
	}
	if env.Fix == "" {
		t.Error("no fix is named")
	}
}
