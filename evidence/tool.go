package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

// toolAliases maps the names by which tools are known to the canonical ones.
func toolAliases() map[string]string {
	aliases := map[string]string{}
	for canonical, names := range map[string][]string{
		toolTest: {
			"tests", "go-test", "cargo-test", "npm-test", "pnpm-test", "yarn-test", "bun-test", "deno-test", "mix-test",
			"dotnet-test", "mvn-test", "gradle-test", "pytest", "unittest", "vitest", "jest", "mocha", "rspec", "phpunit", "exunit",
		},
		toolBuild: {
			"go-build", "cargo-build", "npm-build", "pnpm-build", "yarn-build", "bun-build", "dotnet-build", "mvn-package",
			"gradle-build", "compile",
		},
		toolLint: {
			"linter", "go-vet", "golangci-lint", "staticcheck", "clippy", "cargo-clippy", "eslint", "biome", "prettier", "oxlint",
			"ruff", "flake8", "pylint", "rubocop", "phpcs", "credo", "deno-lint", "npm-lint", "pnpm-lint", "yarn-lint",
		},
		toolTypecheck: {
			"type-check", "types", "tsc", "mypy", "pyright", "cargo-check", "deno-check", "phpstan", "dialyzer", "npm-typecheck",
			"pnpm-typecheck", "yarn-typecheck",
		},
		toolAudit: {
			"npm-audit", "pnpm-audit", "yarn-audit", "cargo-audit", "pip-audit", "composer-audit", "bundle-audit", "hex-audit",
		},
		toolSecurityScan: {"security", "securityscan", "govulncheck", "brakeman", "bandit", "semgrep"},
	} {
		for _, name := range names {
			aliases[name] = canonical
		}
	}
	return aliases
}

// canonicalTool returns the canonical name behind name.
func canonicalTool(name string) (string, bool) {
	if slices.Contains(canonicalTools(), name) {
		return name, true
	}
	canonical, ok := toolAliases()[name]
	return canonical, ok
}

// ResolveTool returns the command of a tool, given by its canonical name or an alias: the one in the project's
// .cleo/project-context.json, else the default of the project's type. The type is the file's primaryType when we know
// it, else what the files of the project suggest, or those of the worktree when the project has none. The error is a
// [*contracts.Fault] of the kind tool-not-resolved, or a [contracts.Error] with [contracts.CodeConfigInvalid].
func ResolveTool(site Site, name string) ([]string, error) {
	canonical, ok := canonicalTool(name)
	if !ok {
		return nil, unresolved("unknown tool %q; the tools are %s", name, strings.Join(canonicalTools(), ", "))
	}
	project, _, err := ReadProjectContext(site.projectRoot())
	if err != nil {
		return nil, err
	}
	argv, err := project.argv(canonical)
	if err != nil {
		return nil, contracts.Errorf(contracts.CodeConfigInvalid, "reading the %s command of %s: %w",
			canonical, contextPath(site.projectRoot()), err).
			WithFix(`write a simple command, or set "shell": true beside it`)
	}
	if argv != nil {
		return argv, nil
	}
	return defaultCommand(site, project.PrimaryType, name, canonical)
}

func defaultCommand(site Site, primary, name, canonical string) ([]string, error) {
	row, ok := siteType(site, primary)
	if !ok {
		return nil, unresolved("tool %q has no command in %s, and the files of the project tell no project type",
			name, contextPath(site.projectRoot()))
	}
	command, ok := row.tools[canonical]
	if !ok {
		return nil, unresolved("tool %q has no command in %s, and no default in a %s project",
			name, contextPath(site.projectRoot()), row.name)
	}
	return SplitWords(command)
}

// siteType finds the row of defaults for a site.
func siteType(site Site, primary string) (projectType, bool) {
	found := detectTypes(site.projectRoot())
	if len(found) == 0 {
		found = detectTypes(site.Dir)
	}
	for _, row := range found {
		if row.name == primary {
			return row, true
		}
	}
	if row, ok := generalType(primary); ok {
		return row, true
	}
	if len(found) == 0 {
		return projectType{}, false
	}
	return found[0], true
}

// evaluateTool runs the tool. Whatever keeps it from being resolved is the environment's.
func evaluateTool(ctx context.Context, site Site, atom Atom) (Result, error) {
	argv, err := ResolveTool(site, atom.Payload)
	if err != nil {
		return Result{}, asFault(ctx, contracts.FaultToolNotResolved, "resolving "+atom.String(), err)
	}
	result, err := runCommand(ctx, site, argv, site.timeout(), expectation{})
	if err != nil {
		return Result{}, inAtom(atom, err)
	}
	result.Kind, result.Payload = atom.Kind, atom.Payload
	return result, nil
}

// inAtom says in a fault's message which atom it is about.
func inAtom(atom Atom, err error) error {
	fault, ok := errors.AsType[*contracts.Fault](err)
	if !ok {
		return err
	}
	return &contracts.Fault{Kind: fault.Kind, Message: atom.String() + ": " + fault.Message, Detail: fault.Detail}
}

func unresolved(format string, args ...any) error {
	return &contracts.Fault{Kind: contracts.FaultToolNotResolved, Message: fmt.Sprintf(format, args...)}
}
