package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
	"github.com/cleocode/cleo-validator/store"
)

func newTaskAdd(h host, flags *globalFlags) *cobra.Command {
	var (
		title   string
		workers []string
		acs     acList
	)
	cmd := &cobra.Command{
		Use:   "add TASK --title TITLE --ac TEXT…",
		Short: "Add a task with its acceptance criteria",
		Long: `Add a task. Each --ac adds a criterion; the check flags after it give that criterion
its machine check. A command is split into words as a POSIX shell splits them, and
nothing is expanded; say sh -c '…' where a shell is wanted.`,
		Example: `  cleo-validator task add T1 --title "Greeting" \
    --ac "it builds" --check "make build" \
    --ac "it greets" --check "./greet Ann" --expect "hello, ann" \
    --ac "the tests pass" --atoms "tool:test"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			task := store.NewTask{ID: args[0], Title: title, ACs: acs}
			if err := checkTask(task); err != nil {
				return err
			}
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				if err := p.store.AddTasks(cmd.Context(), []store.NewTask{task}); err != nil {
					return err
				}
				for _, worker := range workers {
					if err := p.store.RecordWorker(cmd.Context(), task.ID, worker); err != nil {
						return err
					}
				}
				added, err := p.store.Task(cmd.Context(), task.ID)
				if err != nil {
					return err
				}
				view := viewTask(added)
				return h.result(flags.json, map[string]any{"ok": true, "task": view}, func(w io.Writer) { describeTask(w, view) })
			})
		},
	}
	cmd.Flags().StringVar(&title, "title", "", "what the task is about")
	cmd.Flags().StringSliceVar(&workers, "worker-id", nil, "an agent instance that works on the task and so cannot judge it")
	acs.register(cmd)
	return cmd
}

// checkTask refuses machine checks that could never run, before anything is written.
func checkTask(task store.NewTask) error {
	if err := contracts.CheckTaskID(task.ID); err != nil {
		return err
	}
	for i, ac := range task.ACs {
		if ac.Check == nil {
			continue
		}
		if err := evidence.ValidateCheck(*ac.Check); err != nil {
			return fmt.Errorf("%s, %s: %w", task.ID, contracts.Alias(i+1), err)
		}
	}
	return nil
}

// acList collects criteria in the order of the flags: a check flag belongs to the --ac before it.
type acList []store.NewAC

func (l *acList) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(acFlag{"text", func(text string) error {
		*l = append(*l, store.NewAC{Text: text})
		return nil
	}}, "ac", "the text of an acceptance criterion; repeat for each")
	flags.Var(l.checkFlag("command", func(c *contracts.Check, v string) error {
		c.Command = v
		return nil
	}), "check", "a command that must pass, for the --ac before it")
	flags.Var(l.checkFlag("atoms", func(c *contracts.Check, v string) error {
		c.Atoms = v
		return nil
	}), "atoms", "evidence atoms that must hold, for the --ac before it")
	flags.Var(l.checkFlag("text", func(c *contracts.Check, v string) error {
		c.ExpectedOutputContains = v
		return nil
	}), "expect", "text that the command must print, for the --ac before it")
	flags.Var(l.checkFlag("code", func(c *contracts.Check, v string) (err error) {
		c.ExpectedExitCode, err = strconv.Atoi(v)
		return err
	}), "expect-exit", "exit code that the command must have (default 0), for the --ac before it")
	flags.Var(l.checkFlag("duration", setCheckTimeout), "check-timeout", "how long the check may take, for the --ac before it")
}

func setCheckTimeout(c *contracts.Check, v string) error {
	var d duration
	if err := d.Set(v); err != nil {
		return err
	}
	if c.TimeoutMs = time.Duration(d).Milliseconds(); c.TimeoutMs < 1 {
		return fmt.Errorf("%q is no time at all", v)
	}
	return nil
}

// checkFlag is a flag that sets one field of the last criterion's check.
func (l *acList) checkFlag(kind string, set func(*contracts.Check, string) error) acFlag {
	return acFlag{kind, func(value string) error {
		if len(*l) == 0 {
			return fmt.Errorf("it must come after the --ac it belongs to")
		}
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("it must not be blank")
		}
		last := &(*l)[len(*l)-1]
		if last.Check == nil {
			last.Check = &contracts.Check{}
		}
		return set(last.Check, value)
	}}
}

// acFlag is a flag that acts when it is read, so that the order of the flags counts.
type acFlag struct {
	kind string
	set  func(string) error
}

// String, Set and Type make acFlag a pflag.Value.
func (f acFlag) String() string         { return "" }
func (f acFlag) Set(value string) error { return f.set(value) }
func (f acFlag) Type() string           { return f.kind }
