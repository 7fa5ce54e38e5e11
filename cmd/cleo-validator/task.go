package main

import (
	"fmt"
	"io"

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

func newTaskList(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List every task",
		Long:    "List every task of the ledger with its status and how many of its criteria are bound.",
		Example: "  cleo-validator task list --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				tasks, err := p.store.Tasks(cmd.Context())
				if err != nil {
					return err
				}
				views := make([]taskView, 0, len(tasks))
				for _, task := range tasks {
					views = append(views, viewTask(task))
				}
				return h.result(flags.json, map[string]any{"ok": true, "tasks": views}, func(w io.Writer) { describeTasks(w, views) })
			})
		},
	}
}

func describeTasks(w io.Writer, tasks []taskView) {
	for _, task := range tasks {
		bound := 0
		for _, ac := range task.ACs {
			if ac.BindingStatus == contracts.BindingSatisfied {
				bound++
			}
		}
		fmt.Fprintf(w, "%-12s %-10s %d/%d bound  %s\n", task.ID, task.Status, bound, len(task.ACs), oneLine(task.Title))
	}
}

func newTaskShow(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "show TASK",
		Short:   "Show one task with its criteria and checks",
		Long:    "Show a task, its acceptance criteria with their UUIDs, and the machine check of each.",
		Example: "  cleo-validator task show T1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				task, err := p.store.Task(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				view := viewTask(task)
				return h.result(flags.json, map[string]any{"ok": true, "task": view}, func(w io.Writer) { describeTask(w, view) })
			})
		},
	}
}

func describeTask(w io.Writer, task taskView) {
	fmt.Fprintf(w, "%s  %s  %s\n", task.ID, task.Status, oneLine(task.Title))
	for _, ac := range task.ACs {
		fmt.Fprintf(w, "  %-5s %-11s %s\n        %s\n", ac.Alias, ac.BindingStatus, oneLine(ac.Text), ac.ID)
		if ac.Check != nil {
			fmt.Fprintf(w, "        check: %s\n", oneLine(describeCheck(*ac.Check)))
		}
	}
}

// describeCheck is a machine check in a few words.
func describeCheck(c contracts.Check) string {
	text := c.Command
	if text == "" {
		text = c.Atoms
	}
	if c.ExpectedExitCode != 0 {
		text += fmt.Sprintf(" (exit %d)", c.ExpectedExitCode)
	}
	if c.ExpectedOutputContains != "" {
		text += fmt.Sprintf(" (prints %q)", c.ExpectedOutputContains)
	}
	return text
}

func newTaskRemove(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "rm TASK",
		Short:   "Remove a task with its criteria and bindings",
		Long:    "Remove a task from the ledger. Its verdicts and audit rows stay.",
		Example: "  cleo-validator task rm T1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				if err := p.store.RemoveTask(cmd.Context(), args[0]); err != nil {
					return err
				}
				return h.result(flags.json, map[string]any{"ok": true, "taskId": args[0]}, func(w io.Writer) {
					fmt.Fprintf(w, "removed %s\n", args[0])
				})
			})
		},
	}
}
