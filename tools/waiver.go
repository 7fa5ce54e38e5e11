package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// allowStale splits off the criteria that are uncovered only because their attestation went stale, when the caller lets
// those count, and records that.
func (s *Service) allowStale(
	ctx context.Context, in CompleteInput, unsatisfied []contracts.UncoveredAC,
) (stale, left []contracts.UncoveredAC, err error) {
	if strings.TrimSpace(in.AllowStale) == "" {
		return nil, unsatisfied, nil
	}
	for _, ac := range unsatisfied {
		if ac.Reason != "" {
			stale = append(stale, ac)
		} else {
			left = append(left, ac)
		}
	}
	if len(stale) == 0 {
		return nil, left, nil
	}
	return stale, left, s.appendWaiver(ctx, in, stale, nil, "stale attestation allowed: "+in.AllowStale)
}

// waive takes the waived criteria out of the unsatisfied ones and records the waiver, also when it does not suffice.
func (s *Service) waive(
	ctx context.Context, in CompleteInput, task store.Task, unsatisfied []contracts.UncoveredAC,
) (waived, left []contracts.UncoveredAC, unresolved []string, err error) {
	if len(in.Waive) == 0 {
		return nil, unsatisfied, nil, nil
	}
	waived, unresolved = resolveWaivers(task, in.Waive)
	left = slices.DeleteFunc(slices.Clone(unsatisfied), func(ac contracts.UncoveredAC) bool {
		return slices.ContainsFunc(waived, func(w contracts.UncoveredAC) bool { return w.ACID == ac.ACID })
	})
	return waived, left, unresolved, s.appendWaiver(ctx, in, waived, unresolved, in.WaiveReason)
}

// resolveWaivers maps tokens (UUIDs or aliases, any case) to criteria in roster order; duplicates collapse.
func resolveWaivers(task store.Task, tokens []string) (waived []contracts.UncoveredAC, unresolved []string) {
	chosen := map[string]bool{}
	for _, token := range tokens {
		token = strings.TrimSpace(token)
		i := slices.IndexFunc(task.ACs, func(ac store.AC) bool {
			return strings.EqualFold(token, ac.ID) || strings.EqualFold(token, ac.Alias())
		})
		switch {
		case i >= 0:
			chosen[task.ACs[i].ID] = true
		case token != "" && !slices.Contains(unresolved, token):
			unresolved = append(unresolved, token)
		}
	}
	for _, ac := range task.ACs {
		if chosen[ac.ID] {
			waived = append(waived, contracts.UncoveredAC{ACID: ac.ID, Alias: ac.Alias(), Text: ac.Text})
		}
	}
	return waived, unresolved
}

func (s *Service) appendWaiver(
	ctx context.Context, in CompleteInput, waived []contracts.UncoveredAC, unresolved []string, reason string,
) error {
	ids, aliases := []string{}, []string{}
	for _, ac := range waived {
		ids, aliases = append(ids, ac.ACID), append(aliases, ac.Alias)
	}
	return auditFirst(s.opts.Audit.AppendWaiver(ctx, audit.Waiver{
		Timestamp:        instant(s.opts.Now()),
		TaskID:           in.TaskID,
		WaivedACs:        ids,
		WaivedAliases:    aliases,
		Reason:           reason,
		Actor:            in.Actor,
		UnresolvedTokens: orEmpty(unresolved),
	}))
}
