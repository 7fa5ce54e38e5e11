package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
	"github.com/cleocode/cleo-validator/store"
	"github.com/cleocode/cleo-validator/tools"
)

// project is an opened project: where the wiring of the rooms happens.
type project struct {
	host     host
	root     string
	settings settings
	store    *store.Store
	audit    *audit.Log
	repo     git.Repo
	// hasCommit is false in a project without git, or without a commit.
	hasCommit bool
}

// openProject finds the project, reads its settings and opens its database. The caller closes it.
func openProject(ctx context.Context, h host, flags *globalFlags) (*project, error) {
	root, err := findProject(flags.project)
	if err != nil {
		return nil, err
	}
	path, err := databasePath(h, flags, root)
	if err != nil {
		return nil, err
	}
	return openProjectAt(ctx, h, root, path)
}

// openProjectAt opens the project whose place is known.
func openProjectAt(ctx context.Context, h host, root, databasePath string) (*project, error) {
	settings, err := loadSettings(h, root)
	if err != nil {
		return nil, err
	}
	durability, err := store.ParseDurability(settings.Durability)
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, databasePath, store.Options{Durability: durability, Now: h.now, NewID: h.newID})
	if err != nil {
		return nil, err
	}
	p := &project{
		host:     h,
		root:     root,
		settings: settings,
		store:    db,
		audit:    audit.At(filepath.Join(root, ".cleo", "audit")),
		repo:     git.At(root),
	}
	p.audit.Warn = func(message string) { h.warn("%s", message) }
	_, err = p.repo.Resolve(ctx, "HEAD")
	p.hasCommit = err == nil
	return p, nil
}

// Close closes the database.
func (p *project) Close() error { return p.store.Close() }

// databasePath says where the database is. It is never made by accident: either the project was initialised, or the
// caller names the file.
func databasePath(h host, flags *globalFlags, root string) (string, error) {
	named := flags.db
	if named == "" {
		named = h.getenv("CLEO_VALIDATOR_DB")
	}
	if named != "" {
		path, err := filepath.Abs(named)
		if err != nil {
			return "", fmt.Errorf("finding the database: %w", err)
		}
		return path, nil
	}
	if _, err := os.Stat(filepath.Join(root, ".cleo")); err != nil {
		return "", contracts.Errorf(contracts.CodeStoreUnavailable, "%s has no .cleo directory", root).
			WithFix("run cleo-validator init in the project, or name it with --project")
	}
	return defaultDatabase(root), nil
}

func defaultDatabase(root string) string { return filepath.Join(root, ".cleo", "validator.db") }

// tools returns the tools of the project; preparer may be nil where no Validator is prepared.
func (p *project) tools(preparer tools.Preparer) *tools.Service {
	options := tools.Options{
		ProjectRoot: p.root,
		Require:     tools.Require(p.settings.Gate.Require),
		Audit:       p.audit,
		Preparer:    preparer,
		Now:         p.host.now,
	}
	if p.hasCommit {
		options.Repository = p.repo
	}
	return tools.New(p.store, options)
}

// withProject opens the project, runs do and closes it again.
func withProject(ctx context.Context, h host, flags *globalFlags, do func(*project) error) error {
	p, err := openProject(ctx, h, flags)
	if err != nil {
		return err
	}
	defer p.Close()
	return do(p)
}
