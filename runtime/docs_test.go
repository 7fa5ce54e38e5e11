package runtime

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

const drawing = "../docs/state_machine.md"

// TestDrawingShowsTheMachine compares the arrows of the drawing with those that the machine takes.
func TestDrawingShowsTheMachine(t *testing.T) {
	if diff := cmp.Diff(arrowsTaken(t), arrowsDrawn(t)); diff != "" {
		t.Errorf("%s does not show the machine (-machine +drawing):\n%s", drawing, diff)
	}
}

// arrowsDrawn reads "from --> to : name" off the drawing, with the boxes' labels in place of their aliases.
func arrowsDrawn(t *testing.T) []string {
	text := read(t, drawing)
	labels := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^ +state "(.+)" as (\w+)$`).FindAllStringSubmatch(text, -1) {
		labels[m[2]] = m[1]
	}
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^ +(\w+) --> (\w+) : (\w+)$`).FindAllStringSubmatch(text, -1) {
		out = append(out, fmt.Sprintf("%s --> %s : %s", labels[m[1]], labels[m[2]], m[3]))
	}
	slices.Sort(out)
	return out
}

// arrowsTaken steps the machine with everything from everywhere and collects the arrows.
func arrowsTaken(t *testing.T) []string {
	start, err := NewState(5)
	if err != nil {
		t.Fatal(err)
	}
	arrows, seen, todo := map[string]bool{}, map[State]bool{}, []State{start}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		for _, o := range everyObservation() {
			next, err := Step(s, o)
			if err != nil {
				continue
			}
			to := string(next.State.Phase)
			if next.Outcome != "" {
				to = string(next.Outcome)
			}
			arrows[fmt.Sprintf("%s --> %s : %s", s.Phase, to, next.Name)] = true
			if !seen[next.State] {
				seen[next.State] = true
				todo = append(todo, next.State)
			}
		}
	}
	var out []string
	for arrow := range arrows {
		out = append(out, arrow)
	}
	slices.Sort(out)
	return out
}

func everyObservation() []Observation {
	var out []Observation
	for _, what := range []Observed{Attested, Rejected, Faulted, WorkerRespawned, RespawnFailed} {
		for _, kind := range contracts.FaultKinds() {
			for _, loop := range []LoopBudget{{}, {Bounded: true}, {Bounded: true, Left: time.Second}} {
				out = append(out,
					Observation{What: what, Kind: kind, Loop: loop},
					Observation{What: what, Kind: kind, Loop: loop, NoProgress: true})
			}
		}
	}
	return out
}

// TestEveryTransitionIsANamedConstructor: the names are those of functions in one file, and all of them are taken.
func TestEveryTransitionIsANamedConstructor(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "transition.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var constructors []string
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			constructors = append(constructors, fn.Name.Name)
		}
	}
	taken := strings.Join(arrowsTaken(t), "\n") + "\n"
	for _, name := range Transitions() {
		if !slices.Contains(constructors, string(name)) {
			t.Errorf("transition.go has no constructor %s", name)
		}
		if !strings.Contains(taken, " : "+string(name)+"\n") {
			t.Errorf("the machine never takes %s", name)
		}
	}
}

// TestEveryDecisionAndOutcomeIsReached: each decision is made by some transition, each outcome ends some run, and there
// is no other.
func TestEveryDecisionAndOutcomeIsReached(t *testing.T) {
	decisions, outcomes := map[contracts.RetryDecision]bool{}, map[Outcome]bool{}
	for retryMax := 1; retryMax <= 3; retryMax++ {
		everyRun(retryMax, func(history []string, _ []step) {
			s, _ := NewState(retryMax)
			for _, event := range history {
				for _, o := range observations(event) {
					if next, err := Step(s, o); err == nil {
						decisions[next.Decision], outcomes[next.Outcome] = true, true
						s = next.State
					}
				}
			}
		})
	}
	delete(decisions, "")
	delete(outcomes, "")
	wantDecisions := map[contracts.RetryDecision]bool{
		contracts.DecisionRetryValidator: true, contracts.DecisionRetryWorker: true, contracts.DecisionAttest: true,
		contracts.DecisionEscalateHITL: true, contracts.DecisionEscalatePermanent: true,
	}
	wantOutcomes := map[Outcome]bool{}
	for _, outcome := range Outcomes() {
		wantOutcomes[outcome] = true
	}
	if diff := cmp.Diff(wantDecisions, decisions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantOutcomes, outcomes); diff != "" {
		t.Error(diff)
	}
}

// TestDocumentedCatalogue compares the table of the page with the catalogue.
func TestDocumentedCatalogue(t *testing.T) {
	text := read(t, drawing)
	for _, row := range Catalogue() {
		waits := "none"
		if row.Retries == 0 {
			waits = "–"
		} else if len(row.Backoffs) > 0 {
			waits = row.Backoffs[0].String() + ", " + row.Backoffs[1].String()
		}
		line := fmt.Sprintf("| `%s` | %s | %d | %s | %s | `%s` |",
			row.Kind, row.Family, row.Retries, waits, row.Class, row.Escalation)
		if !strings.Contains(text, line) {
			t.Errorf("%s lacks the line %s", drawing, line)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
