package store

import (
	"strings"
	"testing"
)

// Whatever a Validator or the gate asks is found by an index: no statement looks at rows of other tasks.
func TestHotStatementsScanNothing(t *testing.T) {
	s := openTemp(t)
	one := func(query, column string) string { query, _ = scope("T1").of(query, column); return query }
	for name, query := range map[string]string{
		"task":          one(selectTasks, "id"),
		"criteria":      one(selectCriteria, "c.task_id"),
		"checks":        one(selectChecks, "task_id"),
		"workers":       one(selectWorkers, "task_id"),
		"bindings":      selectBindings,
		"binding":       selectBinding,
		"verdict":       selectVerdict,
		"envelope":      selectEnvelope,
		"attestations":  selectAttestations,
		"lastRejection": selectLastRejection,
		"openRun":       selectOpenRun,
		"pending":       selectPending,
		"entries":       selectEntries,
	} {
		t.Run(name, func(t *testing.T) {
			arguments := make([]any, strings.Count(query, "?"))
			rows, err := s.reader.Query("EXPLAIN QUERY PLAN "+s.ledger.sql(query), arguments...)
			mustDo(t, err)
			defer rows.Close()
			steps := 0
			for rows.Next() {
				var (
					id, parent, unused int
					step               string
				)
				mustDo(t, rows.Scan(&id, &parent, &unused, &step))
				if steps++; strings.HasPrefix(step, "SCAN ") && step != "SCAN CONSTANT ROW" {
					t.Errorf("the plan says %s", step)
				}
			}
			if steps == 0 {
				t.Error("there is no plan")
			}
		})
	}
}
