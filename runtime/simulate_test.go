package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

func simulate(input string) (string, error) {
	var out bytes.Buffer
	err := Simulate(context.Background(), strings.NewReader(input), &out)
	return out.String(), err
}

func TestSimulateWritesTheRowsOfARun(t *testing.T) {
	got, err := simulate(`{"retryMax":3,"events":["reject","timeout","validator-OOM"]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"outcome":"escalate-hitl",` +
		`"spawns":[{"attemptNumber":1,"downgradeModelTier":false},{"attemptNumber":2,"downgradeModelTier":false},` +
		`{"attemptNumber":3,"downgradeModelTier":false}],"attempts":[` +
		`{"timestamp":"1970-01-01T00:00:00.000Z","taskId":"SIMULATED","attemptNumber":1,"faultFamily":"semantic",` +
		`"faultKind":"validator-partial","classification":"transient","backoffMs":0,"retryDecision":"retry-worker",` +
		`"message":"simulated reject","verdict":"reject"},` +
		`{"timestamp":"1970-01-01T00:00:00.000Z","taskId":"SIMULATED","attemptNumber":2,"faultFamily":"infra",` +
		`"faultKind":"timeout","classification":"transient","backoffMs":5000,"retryDecision":"retry-validator",` +
		`"message":"simulated timeout"},` +
		`{"timestamp":"1970-01-01T00:00:05.000Z","taskId":"SIMULATED","attemptNumber":3,"faultFamily":"infra",` +
		`"faultKind":"validator-OOM","classification":"transient-then-permanent","backoffMs":null,` +
		`"retryDecision":"escalate-hitl","message":"simulated validator-OOM"}]}` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSimulate(t *testing.T) {
	tests := map[string]struct {
		line    string
		outcome Outcome
		rows    string
		spawns  string
	}{
		"attest": {`{"events":["attest"]}`, "attest", "attest", "1"},
		"default budget": {
			`{"events":["reject","reject","reject","attest"]}`,
			"escalate-hitl", "retry-worker retry-worker escalate-hitl", "1 2 3",
		},
		"no events":              {`{"retryMax":1,"events":[]}`, "incomplete", "", ""},
		"too few":                {`{"events":["reject","conduit-drop"]}`, "incomplete", "retry-worker retry-validator", "1 2"},
		"after the end":          {`{"events":["attest","reject","respawn-fails"]}`, "attest", "attest", "1"},
		"respawn fails":          {`{"events":["reject","respawn-fails","attest"]}`, "escalate-hitl", "retry-worker escalate-hitl", "1"},
		"respawn after the last": {`{"retryMax":1,"events":["reject","respawn-fails"]}`, "escalate-hitl", "escalate-hitl", "1"},
		"downgrade for one": {
			`{"retryMax":9,"events":["validator-OOM","timeout","attest"]}`,
			"attest", "retry-validator retry-validator attest", "1 2d 3",
		},
		"permanent": {
			`{"events":["validator-OOM","validator-OOM"]}`,
			"escalate-permanent", "retry-validator escalate-permanent", "1 2d",
		},
		"escaped": {`{ "ev\u0065nts" : [ "\u0061ttest" ] }`, "attest", "attest", "1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text, err := simulate(test.line)
			if err != nil {
				t.Fatal(err)
			}
			var got simulation
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			var rows, spawns []string
			for _, row := range got.Attempts {
				rows = append(rows, string(row.RetryDecision))
			}
			for _, spawn := range got.Spawns {
				mark := ""
				if spawn.DowngradeModelTier {
					mark = "d"
				}
				spawns = append(spawns, fmt.Sprint(spawn.AttemptNumber, mark))
			}
			if got.Outcome != test.outcome || strings.Join(rows, " ") != test.rows || strings.Join(spawns, " ") != test.spawns {
				t.Errorf("%s, rows %v, spawns %v", got.Outcome, rows, spawns)
			}
			if got.Spawns == nil || got.Attempts == nil {
				t.Errorf("a list is null: %s", text)
			}
		})
	}
}

func TestSimulateRefuses(t *testing.T) {
	tests := map[string]struct{ line, says string }{
		"unknown event":            {`{"events":["bogus"]}`, `events[0]: "bogus" is no event`},
		"unknown after the end":    {`{"events":["attest","bogus"]}`, `events[1]: "bogus"`},
		"wrong case":               {`{"events":["Attest"]}`, `"Attest"`},
		"respawn first":            {`{"events":["respawn-fails"]}`, `events[0]: "respawn-fails" may stand right after a`},
		"respawn after a fault":    {`{"events":["reject","timeout","respawn-fails"]}`, `events[2]`},
		"respawn twice":            {`{"events":["reject","respawn-fails","respawn-fails"]}`, `events[2]`},
		"unknown field":            {`{"retries":3,"events":[]}`, `unknown field "retries"`},
		"wrongly-cased field":      {`{"RetryMax":3,"events":[]}`, `unknown field "RetryMax"`},
		"field twice":              {`{"events":[],"events":["attest"]}`, `"events"`},
		"no events":                {`{"retryMax":3}`, "events is missing"},
		"null events":              {`{"events":null}`, "events is missing"},
		"events of another type":   {`{"events":"attest"}`, "events must be a list"},
		"an event of another type": {`{"events":[1]}`, "events/0 must be a list of event names"},
		"a budget of 0":            {`{"retryMax":0,"events":[]}`, "retryMax must be at least 1, not 0"},
		"a budget below 0":         {`{"retryMax":-3,"events":[]}`, "not -3"},
		"half a budget":            {`{"retryMax":1.5,"events":[]}`, "not 1.5"},
		"a budget beyond numbers":  {`{"retryMax":99999999999999999999,"events":[]}`, "not 99999999999999999999"},
		"a budget in words":        {`{"retryMax":"three","events":[]}`, "retryMax must be a whole number"},
		"no object":                {`[1]`, "no object"},
		"no JSON":                  {`events`, "invalid character 'e'"},
		"half an object":           {`{"events":[`, "unexpected EOF"},
		"two objects":              {`{"events":[]}{"events":[]}`, "after top-level value"},
		"no UTF-8":                 {"{\"events\":[\"\xff\"]}", "invalid UTF-8"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			good := `{"events":["attest"]}` + "\n"
			out, err := simulate(good + "\n  \r\n" + test.line + "\n" + good)
			if contracts.CodeOf(err) != contracts.CodeInvalidInput {
				t.Fatalf("error %v", err)
			}
			if !strings.HasPrefix(err.Error(), "line 4: ") || !strings.Contains(err.Error(), test.says) {
				t.Errorf("the error does not name line 4 and %q: %v", test.says, err)
			}
			if strings.Count(out, "\n") != 1 {
				t.Errorf("wrote %q", out)
			}
		})
	}
}

func TestSimulateTakesLongLines(t *testing.T) {
	line := `{"events":["attest"` + strings.Repeat(`,"attest"`, 100_000) + `]}`
	line += strings.Repeat(" ", maxLine-len(line))
	if _, err := simulate(line + "\r\n" + line); err != nil {
		t.Errorf("16 MiB are refused: %v", err)
	}
	_, err := simulate("\n" + line + strings.Repeat(" ", 9))
	if contracts.CodeOf(err) != contracts.CodeInvalidInput || !strings.Contains(err.Error(), "line 2: ") {
		t.Errorf("more than 16 MiB: %v", err)
	}
}

func TestSimulateManyRounds(t *testing.T) {
	const rounds = 20_000
	text, err := simulate(fmt.Sprintf(`{"retryMax":%d,"events":["reject"%s]}`, rounds, strings.Repeat(`,"reject"`, rounds)))
	if err != nil || strings.Count(text, `"retry-worker"`) != rounds-1 || !strings.Contains(text, `"escalate-hitl"`) {
		t.Errorf("%d rows, error %v", strings.Count(text, `"retry-worker"`), err)
	}
}

func TestSimulateStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errCtrlC)
	err := Simulate(ctx, strings.NewReader(`{"events":["attest"]}`), &bytes.Buffer{})
	if contracts.CodeOf(err) != contracts.CodeInterrupted || !errors.Is(err, errCtrlC) {
		t.Errorf("interrupted: %v", err)
	}
	if err := Simulate(t.Context(), strings.NewReader(`{"events":[]}`), brokenPipe{}); !errors.Is(err, errBroken) {
		t.Errorf("writing: %v", err)
	}
	if err := Simulate(t.Context(), brokenPipe{}, &bytes.Buffer{}); !errors.Is(err, errBroken) {
		t.Errorf("reading: %v", err)
	}
}

type brokenPipe struct{}

// Read fails.
func (brokenPipe) Read([]byte) (int, error) { return 0, errBroken }

// Write fails.
func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

func FuzzSimulate(f *testing.F) {
	f.Add([]byte(`{"retryMax":3,"events":["reject","timeout","attest"]}`))
	f.Add([]byte("{\"events\":[\"reject\",\"respawn-fails\"]}\n\n{"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		err := Simulate(t.Context(), bytes.NewReader(input), &out)
		if err != nil && contracts.CodeOf(err) != contracts.CodeInvalidInput {
			t.Errorf("error %v", err)
		}
		for line := range strings.Lines(out.String()) {
			var got simulation
			if err := json.Unmarshal([]byte(line), &got); err != nil || got.Outcome == "" {
				t.Errorf("wrote %q: %v", line, err)
			}
		}
	})
}
