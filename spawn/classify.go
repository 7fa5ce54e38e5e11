package spawn

import (
	"fmt"
	"strings"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/proc"
)

// ending is how a Validator's process ended that shipped no verdict.
type ending struct {
	exit           proc.Exit
	timeout        time.Duration
	stdout, stderr *outputLog
	answer         answer
}

// outcome is one row of the table from what was seen to a fault.
type outcome struct {
	seen  string
	holds func(ending) bool
	kind  contracts.FaultKind
	says  func(ending) string
}

// outcomes are tried in their order; the last one always holds.
var outcomes = []outcome{
	{
		seen:  "it reported a fault of its own",
		holds: func(e ending) bool { return e.answer.fault != nil },
		says:  func(e ending) string { return e.answer.fault.Message },
	},
	{
		seen:  "own deadline reached",
		holds: func(e ending) bool { return e.exit.TimedOut },
		kind:  contracts.FaultTimeout,
		says: func(e ending) string {
			return fmt.Sprintf("the Validator gave no verdict within its %s", e.timeout)
		},
	},
	{
		seen:  "the launcher could not find or execute the agent's program",
		holds: func(e ending) bool { return e.exit.Code == 126 || e.exit.Code == 127 },
		kind:  contracts.FaultToolNotResolved,
		says: func(e ending) string {
			return fmt.Sprintf("the agent's program cannot be run (exit code %d): %s", e.exit.Code, lastLine(e.stderr.Text()))
		},
	},
	{
		seen:  "exit 0, verdict claimed but never received",
		holds: func(e ending) bool { return e.exit.Code == 0 && (claimed(e.stdout.Tail()) || claimed(e.stderr.Tail())) },
		kind:  contracts.FaultConduitDrop,
		says:  func(ending) string { return "the Validator says that it shipped a verdict, but none was received" },
	},
	{
		seen:  "malformed envelope",
		holds: func(e ending) bool { return e.answer.broken != nil },
		kind:  contracts.FaultPartial,
		says:  func(e ending) string { return "the Validator's answer is no verdict: " + e.answer.broken.Error() },
	},
	{
		seen:  "no verdict otherwise",
		holds: func(ending) bool { return true },
		kind:  contracts.FaultPartial,
		says:  func(e ending) string { return "the Validator gave no verdict: it ended with " + describeExit(e.exit) },
	},
}

// classify turns the end of a process without a verdict into a fault.
func classify(e ending) *contracts.Fault {
	for _, o := range outcomes {
		if !o.holds(e) {
			continue
		}
		fault := &contracts.Fault{Kind: o.kind, Message: o.says(e)}
		if e.answer.fault != nil {
			fault.Kind, fault.Detail = e.answer.fault.Kind, e.answer.fault.Detail
		}
		return fault
	}
	panic("unreachable: the last outcome always holds")
}

// detail is what the audit row of a fault tells of the process.
func (e ending) detail() map[string]any {
	detail := map[string]any{
		"exitCode":   e.exit.Code,
		"stdoutTail": e.stdout.Text(),
		"stderrTail": e.stderr.Text(),
	}
	if e.exit.Signal != 0 {
		detail["signal"] = e.exit.Signal.String()
	}
	if dropped := e.stdout.dropped + e.stderr.dropped; dropped > 0 {
		detail["droppedBytes"] = dropped
	}
	return detail
}

func describeExit(exit proc.Exit) string {
	if exit.Signal != 0 {
		return "signal " + exit.Signal.String()
	}
	return fmt.Sprintf("exit code %d", exit.Code)
}

// lastLine returns the last line of text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
