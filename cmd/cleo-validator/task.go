package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

func newTask(h host, flags *globalFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "task",
		Short:   "Add, list, show, import and remove tasks",
		Long:    "Keep the tasks and their acceptance criteria in the project's own ledger.",
		Example: "  cleo-validator task list",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTaskAdd(h, flags), newTaskImport(h, flags), newTaskList(h, flags), newTaskShow(h, flags), newTaskRemove(h, flags))
	return cmd
}

// taskView is a task as task list and task show print it.
type taskView struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Status      string   `json:"status"`
	CreatedAt   string   `json:"createdAt"`
	CompletedAt string   `json:"completedAt,omitempty"`
	Workers     []string `json:"workers,omitempty"`
	ACs         []acView `json:"acs"`
}

type acView struct {
	ID            string                  `json:"id"`
	Alias         string                  `json:"alias"`
	Text          string                  `json:"text"`
	BindingStatus contracts.BindingStatus `json:"bindingStatus"`
	Check         *contracts.Check        `json:"check,omitempty"`
}

func viewTask(t store.Task) taskView {
	view := taskView{
		ID: t.ID, Title: t.Title, Status: t.Status, CreatedAt: t.CreatedAt, CompletedAt: t.CompletedAt, Workers: t.Workers,
		ACs: make([]acView, 0, len(t.ACs)),
	}
	for _, ac := range t.ACs {
		status := contracts.BindingUnsatisfied
		if ac.Bound {
			status = contracts.BindingSatisfied
		}
		view.ACs = append(view.ACs, acView{ID: ac.ID, Alias: ac.Alias(), Text: ac.Text, BindingStatus: status, Check: ac.Check})
	}
	return view
}
