package runtime

import (
	"slices"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

// TestCatalogue restates the table: it is a contract with operators, so that changing a number is changing this test.
func TestCatalogue(t *testing.T) {
	type row struct {
		Kind, Family, Class, Code string
		Retries                   int
		Waits                     string
		Downgrade                 bool
	}
	want := []row{
		{"validator-rejected-no-acs", "semantic", "permanent", "E_VALIDATOR_NO_ACS", 0, "[]", false},
		{"validator-partial", "semantic", "transient", "E_VALIDATOR_PARTIAL", 1, "[0s]", false},
		{"validator-unreachable", "semantic", "transient", "E_VALIDATOR_UNREACHABLE", 2, "[10s 30s]", false},
		{"tool-not-resolved", "semantic", "permanent", "E_TOOL_NOT_RESOLVED", 0, "[]", false},
		{"timeout", "infra", "transient", "E_VALIDATOR_TIMEOUT", 2, "[5s 30s]", false},
		{"conduit-drop", "infra", "transient", "E_VALIDATOR_VERDICT_DROPPED", 3, "[0s 0s 0s]", false},
		{"validator-OOM", "infra", "transient-then-permanent", "E_VALIDATOR_OOM", 1, "[0s]", true},
	}
	var got []row
	for _, r := range Catalogue() {
		got = append(got, row{
			string(r.Kind), string(r.Family), string(r.Class), string(r.Escalation), r.Retries,
			waitsOf(t, r), r.Downgrade,
		})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// waitsOf drains the policy of a row twice: it has no jitter and can be reset.
func waitsOf(t *testing.T, r Row) string {
	t.Helper()
	policy := r.Policy()
	first, again := drain(policy), ""
	policy.Reset()
	again = drain(policy)
	if first != again {
		t.Errorf("%s waits %s, then %s", r.Kind, first, again)
	}
	return first
}

func drain(policy backoff.BackOff) string {
	waits := "["
	for wait := policy.NextBackOff(); wait != backoff.Stop; wait = policy.NextBackOff() {
		if waits != "[" {
			waits += " "
		}
		waits += wait.String()
	}
	return waits + "]"
}

func TestEveryKindHasARow(t *testing.T) {
	var order []contracts.FaultKind
	for _, row := range Catalogue() {
		order = append(order, row.Kind)
		if row.Retries > maxRetries {
			t.Errorf("%s has more own retries than the schedule has room for", row.Kind)
		}
		if row.Description == "" || !slices.Contains(contracts.Codes(), row.Escalation) {
			t.Errorf("%s lacks a description or a code of the closed list", row.Kind)
		}
	}
	if diff := cmp.Diff(contracts.FaultKinds(), order); diff != "" {
		t.Error(diff)
	}
	for _, kind := range contracts.FaultKinds() {
		if row, ok := Lookup(kind); !ok || row.Kind != kind {
			t.Errorf("Lookup(%s) = %v, %t", kind, row, ok)
		}
	}
	if _, ok := Lookup("bogus"); ok {
		t.Error("Lookup knows a kind that is not in the catalogue")
	}
}

func TestCatalogueIsTheCallersOwn(t *testing.T) {
	rows := Catalogue()
	rows[4].Backoffs[0], rows[0].Kind = time.Hour, "changed"
	one, _ := Lookup(contracts.FaultTimeout)
	one.Backoffs[1] = time.Hour
	again, _ := Lookup(contracts.FaultTimeout)
	if diff := cmp.Diff([]time.Duration{5 * time.Second, 30 * time.Second}, again.Backoffs); diff != "" {
		t.Error(diff)
	}
	if Catalogue()[0].Kind != contracts.FaultNoACs {
		t.Error("a caller changed the catalogue")
	}
}
