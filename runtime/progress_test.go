package runtime

import (
	"context"
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestNoProgressInTheDriver(t *testing.T) {
	a, b := candidate("a"), candidate("b")
	emptyCommit := contracts.Subject{Commit: "commit-c", Tree: a.Tree}
	none := contracts.Subject{}
	tests := map[string]struct {
		off        bool
		validators []validator
		handedOver []contracts.Subject
		escalates  bool
		rows       int
	}{
		"the same candidate": {
			validators: []validator{rejects(a)}, handedOver: []contracts.Subject{a}, escalates: true, rows: 2,
		},
		"the same tree and criteria": {
			validators: []validator{rejects(a, "2", "1"), rejects(emptyCommit, "1", "2")},
			handedOver: []contracts.Subject{emptyCommit}, escalates: true, rows: 2,
		},
		"the same tree and criteria, a fault between": {
			validators: []validator{rejects(a), faults(contracts.FaultPartial), rejects(emptyCommit)},
			handedOver: []contracts.Subject{emptyCommit}, escalates: true, rows: 3,
		},
		"the same tree, other criteria": {
			validators: []validator{rejects(a, "1"), rejects(emptyCommit, "1", "2"), attests},
			handedOver: []contracts.Subject{emptyCommit, b}, rows: 3,
		},
		"the same criteria, another tree": {
			validators: []validator{rejects(a), rejects(b), attests}, handedOver: []contracts.Subject{b, a}, rows: 3,
		},
		"without git": {
			validators: []validator{rejects(none), rejects(none), attests}, handedOver: []contracts.Subject{none, none}, rows: 3,
		},
		"not asked for": {
			off: true, validators: []validator{rejects(a), rejects(a), attests}, handedOver: []contracts.Subject{a, a}, rows: 3,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			crew := &scripted{t: t, validators: test.validators}
			for _, subject := range test.handedOver {
				crew.workers = append(crew.workers, handsOver(subject))
			}
			result, err := RunMaxN(context.Background(), task, crew.crew(), Options{RetryMax: 5, NoProgress: !test.off})
			if err != nil || len(result.Attempts) != test.rows {
				t.Fatalf("rows %v, error %v", decisions(result), err)
			}
			if got := result.Outcome == OutcomeEscalateHITL; got != test.escalates {
				t.Errorf("outcome %s", result.Outcome)
			}
			if test.escalates && !strings.Contains(result.Reason, "no progress") {
				t.Errorf("reason %q", result.Reason)
			}
		})
	}
}

func TestNoProgressRow(t *testing.T) {
	crew := &scripted{t: t, validators: []validator{rejects(candidate("a"))}}
	crew.workers = append(crew.workers, handsOver(candidate("a")))
	result, err := RunMaxN(t.Context(), task, crew.crew(), Options{NoProgress: true})
	if err != nil || len(result.Attempts) != 2 {
		t.Fatalf("rows %v, error %v", decisions(result), err)
	}
	row := result.Attempts[1]
	if row.AttemptNumber != 1 || *row.FaultFamily != contracts.FamilySemantic || *row.FaultKind != contracts.FaultPartial ||
		*row.Classification != contracts.ClassTransient || !strings.Contains(row.Message, "no progress") || row.Verdict != "" {
		t.Errorf("row %+v", row)
	}
}
