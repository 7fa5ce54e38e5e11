package runtime

import "time"

// The rules of a round, stated a second time and in another shape: from the whole history rather than from a state.

// step is what one event has to lead to. Rows is one, or two when the Worker could not be respawned.
type step struct {
	rows      []string
	wait      time.Duration
	downgrade bool
	over      bool
}

var (
	ownLimit = map[string]int{
		"validator-partial": 1, "validator-unreachable": 2, "timeout": 2, "conduit-drop": 3, "validator-OOM": 1,
	}
	waits = map[string][]time.Duration{
		"validator-unreachable": {10 * time.Second, 30 * time.Second},
		"timeout":               {5 * time.Second, 30 * time.Second},
	}
)

const rejectThenFail = "reject,respawn-fails"

// ruleFor returns what the last event of a history leads to, given that none before it ended the run.
func ruleFor(retryMax int, history []string) step {
	last := history[len(history)-1]
	times := 0
	for _, event := range history {
		if event == last {
			times++
		}
	}
	exhausted := len(history) >= retryMax
	switch last {
	case "attest":
		return step{rows: []string{"attest"}, over: true}
	case "tool-not-resolved", "validator-rejected-no-acs":
		return step{rows: []string{"escalate-permanent"}, over: true}
	case "reject":
		if exhausted {
			return step{rows: []string{"escalate-hitl"}, over: true}
		}
		return step{rows: []string{"retry-worker"}}
	case rejectThenFail:
		if exhausted {
			return step{rows: []string{"escalate-hitl"}, over: true}
		}
		return step{rows: []string{"retry-worker", "escalate-hitl"}, over: true}
	}
	if last == "validator-OOM" && times == 2 {
		return step{rows: []string{"escalate-permanent"}, over: true}
	}
	if exhausted || times > ownLimit[last] {
		return step{rows: []string{"escalate-hitl"}, over: true}
	}
	out := step{rows: []string{"retry-validator"}, downgrade: last == "validator-OOM"}
	if w := waits[last]; w != nil {
		out.wait = w[times-1]
	}
	return out
}

// alphabet is every event that a round can come back with.
var alphabet = []string{
	"attest", "reject", rejectThenFail, "validator-rejected-no-acs", "validator-partial", "validator-unreachable",
	"tool-not-resolved", "timeout", "conduit-drop", "validator-OOM",
}

// everyRun calls visit with every history that ends a run, and with what each of its events has to lead to.
func everyRun(retryMax int, visit func(history []string, steps []step)) {
	var extend func(history []string, steps []step)
	extend = func(history []string, steps []step) {
		for _, event := range alphabet {
			history := append(history[:len(history):len(history)], event)
			next := ruleFor(retryMax, history)
			steps := append(steps[:len(steps):len(steps)], next)
			if next.over {
				visit(history, steps)
			} else {
				extend(history, steps)
			}
		}
	}
	extend(nil, nil)
}
