package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
	"github.com/cleocode/cleo-validator/store"
)

// importLimit is the largest document that task import reads, in bytes.
const importLimit = 64 << 20

func newTaskImport(h host, flags *globalFlags) *cobra.Command {
	var file, brief, id string
	cmd := &cobra.Command{
		Use:   "import --file FILE | --brief FILE",
		Short: "Import tasks from JSON, or one task from a brief",
		Long: `Import tasks, all or none. --file reads a JSON array or one object a line:
{"id","title","acs":["text" or {"text","check":{"command","expectedOutputContains",
"expectedExitCode"}}]}. --brief makes one task of a brief file, whose acceptance
criteria may be strings or objects with criterion, test_command and
expected_output_contains; its id is --id, else the next free T and number.`,
		Example: `  cleo-validator task import --file tasks.json
  generate-tasks | cleo-validator task import --file -
  cleo-validator task import --brief .fuseraft/artifacts/brief.json --id T7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (file == "") == (brief == "") {
				return contracts.Errorf(contracts.CodeInvalidInput, "say either --file or --brief")
			}
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				tasks, err := p.readTasks(cmd.Context(), file, brief, id)
				if err != nil {
					return err
				}
				if err := p.store.AddTasks(cmd.Context(), tasks); err != nil {
					return err
				}
				return reportImport(h, flags.json, tasks)
			})
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "a JSON array or one object a line, - for standard input")
	cmd.Flags().StringVar(&brief, "brief", "", "a brief file, - for standard input")
	cmd.Flags().StringVar(&id, "id", "", "the id of the task made of a brief")
	return cmd
}

func (p *project) readTasks(ctx context.Context, file, brief, id string) ([]store.NewTask, error) {
	if file == "" {
		return p.readBrief(ctx, brief, id)
	}
	data, err := p.host.readFile(file, importLimit)
	if err != nil {
		return nil, err
	}
	return parseTasks(data)
}

// importedTask is one task of an import file.
type importedTask struct {
	ID    string           `json:"id"`
	Title string           `json:"title"`
	ACs   []jsontext.Value `json:"acs"`
}

type importedAC struct {
	Text  string           `json:"text"`
	Check *contracts.Check `json:"check,omitempty"`
}

// parseTasks reads a JSON array or one object a line.
func parseTasks(data []byte) ([]store.NewTask, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if bytes.HasPrefix(data, []byte("[")) {
		items, err := contracts.DecodeStrict[[]importedTask](data)
		if err != nil {
			return nil, err
		}
		return convertTasks(items, func(i int) string { return fmt.Sprintf("task %d", i+1) })
	}
	var (
		items []importedTask
		lines []int
	)
	for number, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		item, err := contracts.DecodeStrict[importedTask](line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		items, lines = append(items, item), append(lines, number+1)
	}
	return convertTasks(items, func(i int) string { return "line " + strconv.Itoa(lines[i]) })
}

func convertTasks(items []importedTask, place func(int) string) ([]store.NewTask, error) {
	if len(items) == 0 {
		return nil, contracts.Errorf(contracts.CodeInvalidInput, "the document has no task").
			WithFix("give a JSON array of tasks, or one task object a line")
	}
	tasks := make([]store.NewTask, 0, len(items))
	for i, item := range items {
		task, err := convertTask(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place(i), err)
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

func convertTask(item importedTask) (store.NewTask, error) {
	task := store.NewTask{ID: item.ID, Title: item.Title}
	for i, raw := range item.ACs {
		if raw.Kind() == '"' {
			text, err := contracts.DecodeStrict[string](raw)
			if err != nil {
				return store.NewTask{}, fmt.Errorf("acs[%d]: %w", i, err)
			}
			task.ACs = append(task.ACs, store.NewAC{Text: text})
			continue
		}
		ac, err := contracts.DecodeStrict[importedAC](raw)
		if err != nil {
			return store.NewTask{}, fmt.Errorf("acs[%d]: %w", i, err)
		}
		task.ACs = append(task.ACs, store.NewAC{Text: ac.Text, Check: ac.Check})
	}
	return task, checkTask(task)
}

// readBrief makes one task of a brief file.
func (p *project) readBrief(ctx context.Context, name, id string) ([]store.NewTask, error) {
	data, err := p.host.readFile(name, importLimit)
	if err != nil {
		return nil, err
	}
	brief, err := evidence.ReadBrief(data)
	if err != nil {
		return nil, err
	}
	if id == "" {
		if id, err = p.nextTaskID(ctx); err != nil {
			return nil, err
		}
	}
	task := store.NewTask{ID: id, Title: brief.Goal}
	for _, criterion := range brief.Criteria {
		task.ACs = append(task.ACs, store.NewAC{Text: criterion.Text, Check: criterion.Check})
	}
	return []store.NewTask{task}, checkTask(task)
}

// nextTaskID returns T and the number after the highest one in use.
func (p *project) nextTaskID(ctx context.Context) (string, error) {
	tasks, err := p.store.Tasks(ctx)
	if err != nil {
		return "", err
	}
	highest := 0
	for _, task := range tasks {
		if digits, ok := strings.CutPrefix(task.ID, "T"); ok {
			if n, err := strconv.Atoi(digits); err == nil && n > highest {
				highest = n
			}
		}
	}
	return "T" + strconv.Itoa(highest+1), nil
}

func reportImport(h host, asJSON bool, tasks []store.NewTask) error {
	ids := make([]string, 0, len(tasks))
	for _, task := range tasks {
		ids = append(ids, task.ID)
	}
	return h.result(asJSON, map[string]any{"ok": true, "imported": ids}, func(w io.Writer) {
		fmt.Fprintf(w, "imported %s: %s\n", plural(len(ids), "task", "tasks"), strings.Join(ids, ", "))
	})
}
