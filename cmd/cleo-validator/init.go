package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

// settingsTemplate is the commented validator.yaml that init writes: every key with its default.
//
//go:embed validator.yaml
var settingsTemplate []byte

// privateFiles keeps what belongs to one machine out of git; the two configuration files may be committed.
const privateFiles = "# What cleo-validator keeps for this machine only.\n/validator.db*\n/audit/\n/runs/\n/cache/\n"

// initReport is the result of init.
type initReport struct {
	OK       bool     `json:"ok"`
	Project  string   `json:"project"`
	Database string   `json:"database"`
	Type     string   `json:"primaryType,omitempty"`
	Created  []string `json:"created"`
	Kept     []string `json:"kept"`
}

func newInit(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Prepare a project: .cleo, database, configuration",
		Long: `Make .cleo with the database, a project-context.json for the detected project type
and a commented validator.yaml. What is there already is kept, so that init may be
repeated. The keys of validator.yaml and their defaults:

` + indent(string(settingsTemplate)),
		Example: "  cleo-validator init\n  cleo-validator init --project ~/src/shop",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := findProject(flags.project)
			if err != nil {
				return err
			}
			report, err := initProject(cmd.Context(), h, flags, root)
			if err != nil {
				return err
			}
			return h.result(flags.json, report, func(w io.Writer) { describeInit(w, report) })
		},
	}
}

// initProject makes what the project lacks. The database comes last: its presence means that the rest is there.
func initProject(ctx context.Context, h host, flags *globalFlags, root string) (initReport, error) {
	dir := filepath.Join(root, ".cleo")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return initReport{}, unwritable(err)
	}
	database, err := databasePath(h, flags, root)
	if err != nil {
		return initReport{}, err
	}
	report := initReport{OK: true, Project: root, Database: database, Created: []string{}, Kept: []string{}}
	files := []struct {
		name string
		data []byte
	}{{".gitignore", []byte(privateFiles)}, {"validator.yaml", settingsTemplate}}
	if detected, ok := evidence.DetectProject(root); ok {
		report.Type = detected.PrimaryType
		data, err := detected.Marshal()
		if err != nil {
			return initReport{}, err
		}
		files = append(files, struct {
			name string
			data []byte
		}{"project-context.json", data})
	}
	for _, file := range files {
		if err := report.create(filepath.Join(dir, file.name), file.data); err != nil {
			return initReport{}, err
		}
	}
	return report, report.createDatabase(ctx, h, root)
}

func (r *initReport) createDatabase(ctx context.Context, h host, root string) error {
	_, statErr := os.Stat(r.Database)
	p, err := openProjectAt(ctx, h, root, r.Database)
	if err != nil {
		return err
	}
	defer p.Close()
	r.note(r.Database, statErr != nil)
	return nil
}

// create writes a file that is not there yet.
func (r *initReport) create(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		r.note(path, false)
		return nil
	}
	if err != nil {
		return unwritable(err)
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return unwritable(errors.Join(err, os.Remove(path)))
	}
	r.note(path, true)
	return nil
}

func (r *initReport) note(path string, created bool) {
	if relative, err := filepath.Rel(r.Project, path); err == nil && filepath.IsLocal(relative) {
		path = relative
	}
	if created {
		r.Created = append(r.Created, path)
	} else {
		r.Kept = append(r.Kept, path)
	}
}

func unwritable(err error) error {
	return contracts.Errorf(contracts.CodeStoreUnavailable, "preparing the project: %w", err).
		WithFix("make the project's directory writable, or choose another with --project")
}

func describeInit(w io.Writer, r initReport) {
	for _, name := range r.Created {
		fmt.Fprintf(w, "created %s\n", name)
	}
	for _, name := range r.Kept {
		fmt.Fprintf(w, "kept    %s\n", name)
	}
	if r.Type == "" {
		fmt.Fprintln(w, "no known project type: tool: checks need .cleo/project-context.json")
	} else {
		fmt.Fprintf(w, "project type %s\n", r.Type)
	}
}
