package runtime

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestKillingTheLeadHandsOutNoBudget kills the Lead once at each point of a run, before and after each write and within
// each spawn, and goes on.
func TestKillingTheLeadHandsOutNoBudget(t *testing.T) {
	scripts := [][]string{
		{"reject", "timeout", "attest"}, {"timeout", "validator-OOM", "reject"}, {"reject", "reject", "reject"},
		{"conduit-drop", "attest"}, {"tool-not-resolved"},
	}
	for _, script := range scripts {
		t.Run(strings.Join(script, ","), func(t *testing.T) {
			for n := 1; ; n++ {
				if !killOnceAt(t, script, n) {
					if n < 5 {
						t.Errorf("only %d points to kill the lead at", n)
					}
					return
				}
			}
		})
	}
}

// killOnceAt reports whether the run was long enough to be killed at its n-th point.
func killOnceAt(t *testing.T, script []string, n int) bool {
	points := 0
	c := &chaos{books: &ledger{}, kill: func() bool { points++; return points == n }}
	c.event = func() string {
		event := script[0]
		if len(script) > 1 {
			script = script[1:]
		}
		return event
	}
	c.books.before, c.books.after = c.mayDieAt, c.mayDieAt
	if _, ended := c.process(t, c.books.options()); ended {
		return false
	}
	if !c.books.done() {
		c.process(t, c.books.options())
	}
	c.checkRuns(t, DefaultRetryMax)
	if c.spent > DefaultRetryMax || !c.books.done() {
		t.Fatalf("killed at point %d: %d attempts of a budget of %d, calls %v", n, c.spent, DefaultRetryMax, c.books.calls)
	}
	return true
}

// TestKillingTheLeadOverAndOver: with any events and any number of kills, one run never starts more attempts than its
// budget has slots, and it ends once it is left alone.
func TestKillingTheLeadOverAndOver(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		retryMax := rapid.IntRange(1, 5).Draw(rt, "retryMax")
		kills := rapid.IntRange(0, 30).Draw(rt, "kills")
		c := &chaos{books: &ledger{}}
		c.kill = func() bool {
			if kills > 0 && rapid.IntRange(0, 3).Draw(rt, "die") == 0 {
				kills--
				return true
			}
			return false
		}
		c.event = func() string {
			return rapid.SampledFrom([]string{
				"attest", "reject", "reject", "timeout", "conduit-drop", "validator-OOM", "validator-partial", "tool-not-resolved",
			}).Draw(rt, "event")
		}
		c.books.before, c.books.after = c.mayDieAt, c.mayDieAt
		opts := c.books.options()
		opts.RetryMax = retryMax
		for ended := false; !ended && !c.books.done(); {
			_, ended = c.process(rt, opts)
		}
		c.checkRuns(rt, retryMax)
		if c.spent > retryMax {
			rt.Fatalf("%d attempts that did not attest, of a budget of %d", c.spent, retryMax)
		}
	})
}
