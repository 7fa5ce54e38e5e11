package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
	"github.com/cleocode/cleo-validator/tools"
)

const someInstant = "2026-05-25T22:18:00Z"

// bench is a project's tools over a real database, with one task T1 of two criteria and one task T2 of one.
type bench struct {
	*tools.Service
	t     *testing.T
	root  string
	store *store.Store
	audit *audit.Log
	ids   map[string][]string // task → criteria
}

func newBench(t *testing.T, configure ...func(*tools.Options)) *bench {
	t.Helper()
	dir := t.TempDir()
	db, err := store.Open(t.Context(), filepath.Join(dir, ".cleo", "validator.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	b := &bench{t: t, root: dir, store: db, audit: audit.At(filepath.Join(dir, ".cleo", "audit")), ids: map[string][]string{}}
	options := tools.Options{
		ProjectRoot: dir,
		Audit:       b.audit,
		Now:         func() time.Time { return time.Date(2026, 5, 25, 22, 18, 0, 0, time.UTC) },
	}
	for _, c := range configure {
		c(&options)
	}
	b.Service = tools.New(db, options)
	b.add("T1", "one", "two")
	b.add("T2", "other")
	return b
}

func (b *bench) add(id string, texts ...string) {
	b.t.Helper()
	task := store.NewTask{ID: id, Title: id}
	for _, text := range texts {
		task.ACs = append(task.ACs, store.NewAC{Text: text})
	}
	if err := b.store.AddTasks(b.t.Context(), []store.NewTask{task}); err != nil {
		b.t.Fatal(err)
	}
	out, err := b.ACPull().Invoke(b.t.Context(), contracts.ACPullInput{TaskID: id})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, ac := range out.ACs {
		b.ids[id] = append(b.ids[id], ac.ID)
	}
}

// bindings counts the rows that bind criteria of a task.
func (b *bench) bindings(task string) int {
	b.t.Helper()
	coverage, err := b.store.Coverage(b.t.Context(), task)
	if err != nil {
		b.t.Fatal(err)
	}
	n := 0
	for _, list := range coverage.Bindings {
		n += len(list)
	}
	return n
}

func findings(status contracts.FindingStatus, ids ...string) []map[string]any {
	var out []map[string]any
	for _, id := range ids {
		out = append(out, map[string]any{"acId": id, "status": status, "reasoning": "ran it", "checkedAt": someInstant})
	}
	return out
}

func attestation(task, validator string, ids ...string) []byte {
	return envelope(map[string]any{
		"verdict": "attest", "taskId": task, "validatorId": validator, "attestedAt": someInstant, "schemaVersion": "1",
		"findings": findings(contracts.StatusPass, ids...),
	})
}

func rejection(task, validator string, ids ...string) []byte {
	return envelope(map[string]any{
		"verdict": "reject", "taskId": task, "validatorId": validator, "rejectedAt": someInstant, "schemaVersion": "1",
		"summary": "it fails", "findings": findings(contracts.StatusFail, ids...),
	})
}

func envelope(fields map[string]any) []byte {
	data, err := json.Marshal(fields)
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return data
}

func validator(agentID string) contracts.Caller {
	return contracts.Caller{Role: contracts.RoleValidator, AgentID: agentID}
}

func (b *bench) attest(envelope []byte, caller contracts.Caller) (contracts.AttestOutput, error) {
	return b.Attest().Invoke(b.t.Context(), contracts.AttestInput{Caller: caller, Attestation: envelope})
}

func (b *bench) reject(envelope []byte, caller contracts.Caller) (contracts.RejectOutput, error) {
	return b.Reject().Invoke(b.t.Context(), contracts.RejectInput{Caller: caller, Rejection: envelope})
}

func wantCode(t *testing.T, err error, want contracts.Code) {
	t.Helper()
	if got := contracts.CodeOf(err); got != want {
		t.Fatalf("code %q, want %q (error: %v)", got, want, err)
	}
}

func TestAttestRefusals(t *testing.T) {
	b := newBench(t)
	if err := b.store.RecordWorker(t.Context(), "T1", "agent-1"); err != nil {
		t.Fatal(err)
	}
	one, two, other := b.ids["T1"][0], b.ids["T1"][1], b.ids["T2"][0]
	good := attestation("T1", "validator-a", one, two)
	tests := map[string]struct {
		caller   contracts.Caller
		envelope []byte
		want     contracts.Code
		says     string
	}{
		"ErrRoleMissing":            {contracts.Caller{}, good, contracts.CodeAuthRole, ""},
		"ErrRoleWorker":             {contracts.Caller{Role: contracts.RoleWorker}, good, contracts.CodeAuthRole, "worker"},
		"ErrRoleLead":               {contracts.Caller{Role: contracts.RoleLead}, good, contracts.CodeAuthRole, ""},
		"ErrRoleBeforeEnvelope":     {contracts.Caller{Role: contracts.RoleWorker}, []byte("{"), contracts.CodeAuthRole, ""},
		"ErrEnvelopeEmpty":          {validator(""), nil, contracts.CodeAttestationInvalid, ""},
		"ErrEnvelopeMalformed":      {validator(""), []byte("{"), contracts.CodeAttestationInvalid, ""},
		"ErrEnvelopeIsRejection":    {validator(""), rejection("T1", "validator-a", one), contracts.CodeAttestationInvalid, ""},
		"ErrDuplicateKey":           {validator(""), []byte(`{"verdict":"attest","verdict":"attest"}`), contracts.CodeAttestationInvalid, "verdict"},
		"ErrEnvelopeBeforeTask":     {validator(""), attestation("T9", "prime", one), contracts.CodeAttestationInvalid, "validatorId"},
		"ErrTaskNotFound":           {validator(""), attestation("T9", "validator-a", one), contracts.CodeTaskNotFound, "T9"},
		"ErrACOfAnotherTask":        {validator(""), attestation("T1", "validator-a", one, two, other), contracts.CodeACNotFound, other},
		"ErrACBeforeMissing":        {validator(""), attestation("T1", "validator-a", one, other), contracts.CodeACNotFound, other},
		"ErrAlias":                  {validator(""), attestation("T1", "validator-a", "AC1", two), contracts.CodeACNotFound, "alias"},
		"ErrAliasOfUnknownTask":     {validator(""), attestation("T9", "validator-a", "AC1"), contracts.CodeTaskNotFound, ""},
		"ErrAliasAndBrokenEnvelope": {validator(""), attestation("T1", "prime", "AC1", two), contracts.CodeAttestationInvalid, "validatorId"},
		"ErrMissingAC":              {validator(""), attestation("T1", "validator-a", one), contracts.CodeAttestationInvalid, "AC2"},
		"ErrAgentIsWorker":          {validator("agent-1"), good, contracts.CodeNotIndependent, "agent-1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := b.attest(test.envelope, test.caller)
			wantCode(t, err, test.want)
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("message %q does not say %q", err, test.says)
			}
			if n := b.bindings("T1") + b.bindings("T2"); n != 0 {
				t.Errorf("%d bindings were written", n)
			}
		})
	}
}

func TestAttestWritesOneBindingPerCriterionOnce(t *testing.T) {
	b := newBench(t)
	first, err := b.attest(attestation("T1", "validator-a", b.ids["T1"]...), validator("x"))
	if err != nil {
		t.Fatal(err)
	}
	if first.BindingsWritten != 2 || len(first.BindingIDs) != 2 {
		t.Fatalf("wrote %+v, want two bindings", first)
	}
	again, err := b.attest(attestation("T1", "validator-a", b.ids["T1"]...), validator("x"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same envelope sent again got another answer (-first +again):\n%s", diff)
	}
	if _, err := b.attest(attestation("T1", "validator-b", b.ids["T1"]...), validator("y")); err != nil {
		t.Fatal(err)
	}
	if n := b.bindings("T1"); n != 4 {
		t.Errorf("two Validators left %d bindings, want 4", n)
	}
}

func TestAttestPartialNeedsTheOption(t *testing.T) {
	b := newBench(t)
	in := contracts.AttestInput{
		Caller: validator("x"), Attestation: attestation("T1", "validator-a", b.ids["T1"][0]), AllowPartial: true,
	}
	out, err := b.Attest().Invoke(t.Context(), in)
	if err != nil || out.BindingsWritten != 1 {
		t.Fatalf("got %+v, %v; want one binding", out, err)
	}
	_, err = b.Gate(t.Context(), "T1")
	wantCode(t, err, contracts.CodeCoverageIncomplete)
}

func TestRejectWritesNoBinding(t *testing.T) {
	b := newBench(t)
	out, err := b.reject(rejection("T1", "validator-a", b.ids["T1"][0]), validator("x"))
	if err != nil {
		t.Fatal(err)
	}
	if out.FailingFindingCount != 1 || !slices.Equal(out.FailingACIDs, b.ids["T1"][:1]) {
		t.Errorf("failing findings %d %v", out.FailingFindingCount, out.FailingACIDs)
	}
	if n := b.bindings("T1"); n != 0 {
		t.Errorf("a rejection wrote %d bindings", n)
	}
	_, err = b.reject(attestation("T1", "validator-a", b.ids["T1"]...), validator("x"))
	wantCode(t, err, contracts.CodeRejectionInvalid)
	_, err = b.reject(rejection("T1", "validator-a", b.ids["T2"]...), validator("x"))
	wantCode(t, err, contracts.CodeACNotFound)
	_, err = b.reject(rejection("T1", "validator-a", b.ids["T1"]...), contracts.Caller{Role: contracts.RoleLead})
	wantCode(t, err, contracts.CodeAuthRole)
}

func TestACPull(t *testing.T) {
	b := newBench(t)
	b.add("T3")
	if _, err := b.attest(attestation("T2", "validator-a", b.ids["T2"]...), validator("x")); err != nil {
		t.Fatal(err)
	}
	out, err := b.ACPull().Invoke(t.Context(), contracts.ACPullInput{TaskID: "T2"})
	if err != nil {
		t.Fatal(err)
	}
	want := contracts.ACPullOutput{OK: true, TaskID: "T2", ACs: []contracts.Criterion{{
		ID: b.ids["T2"][0], Alias: "AC1", Ordinal: 1, Text: "other", BindingStatus: contracts.BindingSatisfied,
	}}}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out, err = b.ACPull().Invoke(t.Context(), contracts.ACPullInput{TaskID: "T3"})
	if err != nil || out.ACs == nil || len(out.ACs) != 0 {
		t.Errorf("a task without criteria gave %+v, %v; want an empty list", out, err)
	}
	for id, want := range map[string]contracts.Code{
		"T9": contracts.CodeTaskNotFound, "": contracts.CodeInvalidInput, "  ": contracts.CodeInvalidInput,
	} {
		_, err := b.ACPull().Invoke(t.Context(), contracts.ACPullInput{TaskID: id})
		wantCode(t, err, want)
	}
	_, err = b.ACPull().Invoke(t.Context(), contracts.ACPullInput{TaskID: "T2", ProjectRoot: "/elsewhere"})
	wantCode(t, err, contracts.CodeInvalidInput)
}

// preparer answers without preparing anything; the real one is tested in package spawn.
type preparer struct{ asked int }

func (p *preparer) Prepare(_ context.Context, in contracts.SpawnInput) (contracts.SpawnResult, error) {
	p.asked++
	return contracts.SpawnResult{TaskID: in.TaskID}, nil
}

func TestSpawnCallers(t *testing.T) {
	prepare := &preparer{}
	b := newBench(t, func(o *tools.Options) { o.Preparer = prepare })
	for _, role := range contracts.AgentRoles() {
		for tier := range 4 {
			t.Run(fmt.Sprintf("%s/%d", role, tier), func(t *testing.T) {
				before := prepare.asked
				_, err := b.Spawn().Invoke(t.Context(), contracts.SpawnInput{
					Caller: contracts.Caller{Role: role, Tier: tier}, TaskID: "T1",
				})
				want := contracts.Code("")
				switch {
				case role != contracts.RoleOrchestrator:
					want = contracts.CodeSpawnAuthRole
				case tier < 1 || tier > 2:
					want = contracts.CodeSpawnAuthTier
				}
				wantCode(t, err, want)
				if prepared := prepare.asked > before; prepared != (want == "") {
					t.Errorf("prepared: %t", prepared)
				}
			})
		}
	}
	orchestrator := contracts.Caller{Role: contracts.RoleOrchestrator, Tier: 1}
	_, err := b.Spawn().Invoke(t.Context(), contracts.SpawnInput{Caller: orchestrator, TaskID: " "})
	wantCode(t, err, contracts.CodeInvalidInput)
	_, err = b.Spawn().Invoke(t.Context(), contracts.SpawnInput{Caller: orchestrator, TaskID: "T9"})
	wantCode(t, err, contracts.CodeTaskNotFound)
}
