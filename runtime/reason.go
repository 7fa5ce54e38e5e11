package runtime

import (
	"fmt"
	"strings"
)

// reason is one sentence for an operator: why the run was given up, after what, and what was said last.
func (r *run) reason(t Transition, last string) string {
	return fmt.Sprintf("%s, after %s; the last attempt said: %s", r.why(t), tally(t.State), last)
}

func (r *run) why(t Transition) string {
	switch t.Name {
	case TransitionEscalatePermanent:
		return fmt.Sprintf("%s is permanent (%s), retrying cannot mend it", t.Kind, catalogue[rowIndex(t.Kind)].Escalation)
	case TransitionEscalateBudgetSpent:
		return fmt.Sprintf("the retry budget of %d is spent", t.State.Max)
	case TransitionEscalateOwnRetriesSpent:
		row := catalogue[rowIndex(t.Kind)]
		return fmt.Sprintf("%s came back after %s (%s)", t.Kind, count(row.Retries, "retry", "retries"), row.Escalation)
	case TransitionEscalateLoopSpent:
		return fmt.Sprintf("the loop budget of %s for the whole run leaves no time for another attempt", r.opts.LoopBudget)
	case TransitionEscalateNoProgress:
		return "there is no progress: the worker does not change what is rejected"
	case TransitionEscalateRespawnFailed:
		return "the worker could not be brought to mend the candidate"
	}
	// Can't happen: the other transitions do not escalate.
	return string(t.Name)
}

// tally counts what a run came back with.
func tally(s State) string {
	var kinds []string
	for i, n := range s.Own {
		if n > 0 {
			kinds = append(kinds, fmt.Sprintf("%s ×%d", catalogue[i].Kind, n))
		}
	}
	text := count(s.Rejections(), "rejection", "rejections") + " and " + count(s.Faults(), "fault", "faults")
	if len(kinds) > 0 {
		text += " (" + strings.Join(kinds, ", ") + ")"
	}
	return text
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
