package store

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
)

const selectChecks = `
	SELECT
		task_id,
		ac_id,
		spec
	FROM validator_checks
	{only}`

// addChecks reads the machine checks of the criteria.
func (tx *transaction) addChecks(of scope, tasks map[string]*Task) error {
	checks := map[string]*contracts.Check{}
	query, args := of.of(selectChecks, "task_id")
	err := tx.each(query, args, func(scan scanner) error {
		var taskID, acID, spec string
		if err := scan(&taskID, &acID, &spec); err != nil {
			return err
		}
		checks[acID] = &contracts.Check{}
		if err := json.Unmarshal([]byte(spec), checks[acID]); err != nil {
			return fmt.Errorf("reading the check of %s: %w", acID, err)
		}
		return nil
	})
	for _, task := range tasks {
		for i := range task.ACs {
			task.ACs[i].Check = checks[task.ACs[i].ID]
		}
	}
	return err
}

// insertCheck keeps the machine check of a criterion.
func (tx *transaction) insertCheck(taskID, acID string, check *contracts.Check) error {
	if check == nil {
		return nil
	}
	spec, err := json.Marshal(check)
	if err != nil {
		return contracts.Errorf(contracts.CodeInvalidInput, "the check of %s cannot be written down: %w", taskID, err).
			WithFix("write the check in valid UTF-8")
	}
	_, err = tx.exec(`INSERT INTO validator_checks (task_id, ac_id, spec) VALUES (?, ?, ?)`, taskID, acID, string(spec))
	return err
}
