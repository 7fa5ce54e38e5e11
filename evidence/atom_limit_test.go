package evidence_test

import (
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

func TestAtomsAreBounded(t *testing.T) {
	for name, s := range map[string]string{
		"ErrHuge":        "tool:" + strings.Repeat("x", 1<<20),
		"ErrManyAtoms":   strings.Repeat("tool:test;", 1<<17),
		"ErrLongName":    strings.Repeat("k", 1000) + ":x",
		"ErrLongPayload": "tool:" + strings.Repeat("x", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := evidence.ParseAtoms(s)
			if contracts.CodeOf(err) != contracts.CodeInvalidInput || len(err.Error()) > 1000 {
				t.Errorf("got %.300v", err)
			}
		})
	}
}

func TestEvaluateRefusesAnAtomThatHoldsAnother(t *testing.T) {
	atom := evidence.Atom{Kind: evidence.KindFiles, Payload: "a;tool:test"}
	if _, err := evidence.Evaluate(t.Context(), evidence.Site{Dir: t.TempDir()}, atom); contracts.CodeOf(err) != contracts.CodeInvalidInput {
		t.Errorf("got %v", err)
	}
}
