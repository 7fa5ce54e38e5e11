// Package tools holds the four tools (validator.ac-pull, validator.attest, validator.reject, spawn.validator), the
// coverage gate and completion. Start at [Service].
//
// Each tool is one [Tool] value; the command line, the servers and Go callers all invoke that value, and none re-checks
// what it checks. The invariant of the package: a binding is written only by an accepted attestation, and a task is
// completed only past the gate or with a line in the audit log that says who opened it and why.
package tools

import (
	"context"
	"path/filepath"
	"time"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// Store is what the tools need of the evidence store; [store.Store] is the real one.
type Store interface {
	Task(ctx context.Context, id string) (store.Task, error)
	RecordVerdict(ctx context.Context, record store.VerdictRecord) (store.Receipt, error)
	Coverage(ctx context.Context, taskID string) (store.Coverage, error)
	Complete(ctx context.Context, taskID string, decide func(store.Coverage) error) (alreadyDone bool, err error)
}

// AuditLog takes the lines that must be on disk before a task is completed past the gate.
type AuditLog interface {
	AppendWaiver(ctx context.Context, waiver audit.Waiver) error
	AppendOverride(ctx context.Context, override audit.Override) error
}

// Repository answers what the gate asks of git. Nil stands for a project without git, where only the text of a criterion
// can go stale.
type Repository interface {
	// Resolve returns the commit and tree that rev names.
	Resolve(ctx context.Context, rev string) (contracts.Subject, error)
	// Reachable reports whether commit is from, or one of its ancestors.
	Reachable(ctx context.Context, commit, from string) (bool, error)
}

// Preparer makes a Validator spawn ready to be started.
type Preparer interface {
	Prepare(ctx context.Context, in contracts.SpawnInput) (contracts.SpawnResult, error)
}

// Options configure a [Service].
type Options struct {
	// ProjectRoot is the one project the service serves. A tool input that names another is refused.
	ProjectRoot string
	// Require is the gate's policy. Default [RequireValidator].
	Require Require
	// Repository may be nil, see there.
	Repository Repository
	// Audit is required by [Service.Complete] only.
	Audit AuditLog
	// Preparer is required by [Service.Spawn] only.
	Preparer Preparer
	// Now defaults to time.Now.
	Now func() time.Time
}

// Service is the tools of one project. It is safe for concurrent use.
type Service struct {
	store   Store
	opts    Options
	subject *contracts.Subject // nil: HEAD, whenever it is asked for
}

// New returns the tools over s.
func New(s Store, opts Options) *Service {
	if opts.Require == "" {
		opts.Require = RequireValidator
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Service{store: s, opts: opts}
}

// At returns the same tools judging for subject instead of for HEAD.
func (s *Service) At(subject contracts.Subject) *Service {
	fixed := *s
	fixed.subject = &subject
	return &fixed
}

// currentSubject returns the commit that a verdict given now is about.
func (s *Service) currentSubject(ctx context.Context) (contracts.Subject, error) {
	switch {
	case s.subject != nil:
		return *s.subject, nil
	case s.opts.Repository == nil:
		return contracts.Subject{}, nil
	}
	return s.opts.Repository.Resolve(ctx, "HEAD")
}

// checkProject refuses an input that was meant for another project. An empty root means the service's own.
func (s *Service) checkProject(root string) error {
	if root == "" || filepath.Clean(root) == filepath.Clean(s.opts.ProjectRoot) {
		return nil
	}
	return contracts.Errorf(contracts.CodeInvalidInput, "project root %q is not the project served here", root).
		WithFix("use %q, or start the tools in that project", s.opts.ProjectRoot)
}

// instant formats t as the wire format wants it.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
