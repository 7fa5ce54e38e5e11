package runtime

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
)

// OutcomeIncomplete is what [Simulate] writes for a line whose events end before the run does. No run has it.
const OutcomeIncomplete Outcome = "incomplete"

// maxLine is the longest line that [Simulate] takes, in bytes.
const maxLine = 16 << 20

// simulatedTask is the task of every simulated run.
const simulatedTask = "SIMULATED"

// Simulate reads one made-up run per line of r, such as {"retryMax":3,"events":["reject","timeout","attest"]}, and writes
// to w, as one line each, how it ends: outcome, spawns, and audit rows. The driver and the machine are those of [RunMaxN];
// the clock is virtual and starts at the Unix epoch. Blank lines are skipped.
//
// The error is a [*contracts.Error] with [contracts.CodeInvalidInput] that names the first bad line and what is wrong with
// it; what the lines before it gave is written by then.
func Simulate(ctx context.Context, r io.Reader, w io.Writer) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine+len("\r\n"))
	out := bufio.NewWriter(w)
	err := simulateLines(ctx, lines, out)
	return errors.Join(err, out.Flush())
}

func simulateLines(ctx context.Context, lines *bufio.Scanner, out *bufio.Writer) error {
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		script, err := parseScript(line)
		if err != nil {
			return badLine(number, err)
		}
		simulation, err := play(ctx, script)
		if err != nil {
			return err
		}
		if err := json.MarshalWrite(out, simulation); err != nil {
			return err
		}
		if err := out.WriteByte('\n'); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return badLine(number+1, errors.New("it is longer than 16 MiB"))
	}
	return lines.Err()
}

func badLine(number int, err error) error {
	return contracts.Errorf(contracts.CodeInvalidInput, "line %d: %w", number, err).
		WithFix(`write lines such as {"retryMax":3,"events":["reject","timeout","attest"]}`)
}

// simulation is one line of the answer.
type simulation struct {
	Outcome  Outcome                `json:"outcome"`
	Spawns   []simulatedSpawn       `json:"spawns"`
	Attempts []contracts.RetryEntry `json:"attempts"`
}

// simulatedSpawn is a spawn that an event answered.
type simulatedSpawn struct {
	AttemptNumber      int  `json:"attemptNumber"`
	DowngradeModelTier bool `json:"downgradeModelTier"`
}

// play drives a run whose crew acts out the script.
func play(ctx context.Context, s script) (simulation, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	actors := &actors{events: s.Events, spawns: []simulatedSpawn{}, stop: stop}
	result, err := RunMaxN(ctx, simulatedTask, Crew{Spawner: actors, Worker: actors}, Options{
		RetryMax: s.RetryMax, LoopBudget: -1,
		Clock: &virtualClock{now: time.Unix(0, 0).UTC()}, NewID: func() string { return "simulated" },
	})
	out := simulation{Outcome: result.Outcome, Spawns: actors.spawns, Attempts: result.Attempts}
	if errors.Is(err, errScriptEnded) {
		out.Outcome, err = OutcomeIncomplete, nil
	}
	for i := range out.Attempts {
		forgetMeasures(&out.Attempts[i])
	}
	return out, err
}

// forgetMeasures takes out of a row what would be made up: nothing ran, nothing took time.
func forgetMeasures(row *contracts.RetryEntry) {
	row.RunID, row.ValidatorID, row.DurationMs = "", "", nil
}
