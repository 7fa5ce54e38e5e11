package evidence_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

// scripts is a package.json that declares the scripts of every canonical tool that has one.
const scripts = `{"scripts":{"test":"x","build":"x","lint":"x","typecheck":"x"}}`

func TestDefaultCommands(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  map[string]string // absent: not resolvable
	}{
		{"go", []string{"go.mod"}, map[string]string{
			"test": "go test ./...", "build": "go build ./...", "lint": "go vet ./...", "typecheck": "go vet ./...",
			"audit": "govulncheck ./...", "security-scan": "govulncheck ./...",
		}},
		{"node", []string{"package.json"}, map[string]string{
			"test": "npm run test", "build": "npm run build", "lint": "npm run lint", "typecheck": "npm run typecheck",
			"audit": "npm audit", "security-scan": "npm audit",
		}},
		{"node with pnpm", []string{"package.json", "pnpm-lock.yaml"}, map[string]string{
			"test": "pnpm run test", "build": "pnpm run build", "lint": "pnpm run lint", "typecheck": "pnpm run typecheck",
			"audit": "pnpm audit", "security-scan": "pnpm audit",
		}},
		{"node with yarn", []string{"package.json", "yarn.lock"}, map[string]string{
			"test": "yarn run test", "build": "yarn run build", "lint": "yarn run lint", "typecheck": "yarn run typecheck",
			"audit": "yarn audit", "security-scan": "yarn audit",
		}},
		{"bun", []string{"package.json", "bun.lockb"}, map[string]string{
			"test": "bun run test", "build": "bun run build", "lint": "bun run lint", "typecheck": "bun run typecheck",
			"audit": "bun audit", "security-scan": "bun audit",
		}},
		{"deno", []string{"deno.json"}, map[string]string{
			"test": "deno test", "build": "deno task build", "lint": "deno lint", "typecheck": "deno check .",
		}},
		{"python", []string{"pyproject.toml"}, map[string]string{
			"test": "pytest", "build": "pyproject-build", "lint": "ruff check .", "typecheck": "mypy .",
			"audit": "pip-audit", "security-scan": "pip-audit",
		}},
		{"rust", []string{"Cargo.toml"}, map[string]string{
			"test": "cargo test", "build": "cargo build", "lint": "cargo clippy --all-targets -- -D warnings",
			"typecheck": "cargo check --all-targets", "audit": "cargo audit", "security-scan": "cargo audit",
		}},
		{"java with maven", []string{"pom.xml"}, map[string]string{
			"test": "mvn -B test", "build": "mvn -B -DskipTests package", "typecheck": "mvn -B compile",
		}},
		{"java with a gradle wrapper", []string{"build.gradle.kts", "gradlew"}, map[string]string{
			"test": "./gradlew test", "build": "./gradlew assemble", "lint": "./gradlew check -x test", "typecheck": "./gradlew classes",
		}},
		{"dotnet", []string{"App.csproj"}, map[string]string{
			"test": "dotnet test", "build": "dotnet build", "lint": "dotnet format --verify-no-changes", "typecheck": "dotnet build",
			"audit": "dotnet list package --vulnerable", "security-scan": "dotnet list package --vulnerable",
		}},
		{"ruby", []string{"Gemfile"}, map[string]string{
			"test": "bundle exec rspec", "build": "bundle check", "lint": "bundle exec rubocop",
			"audit": "bundle exec bundle-audit check", "security-scan": "bundle exec brakeman",
		}},
		{"php", []string{"composer.json"}, map[string]string{
			"test": "vendor/bin/phpunit", "build": "composer validate --no-check-publish", "lint": "vendor/bin/phpcs",
			"typecheck": "vendor/bin/phpstan analyse", "audit": "composer audit", "security-scan": "composer audit",
		}},
		{"elixir", []string{"mix.exs"}, map[string]string{
			"test": "mix test", "build": "mix compile", "lint": "mix format --check-formatted",
			"typecheck": "mix compile --warnings-as-errors", "audit": "mix hex.audit", "security-scan": "mix hex.audit",
		}},
		{"nothing", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := newSite(t, nil)
			for _, name := range tt.files {
				write(t, filepath.Join(site.Dir, name), scripts)
			}
			for _, tool := range []string{"test", "build", "lint", "typecheck", "audit", "security-scan"} {
				argv, err := evidence.ResolveTool(site, tool)
				want, known := tt.want[tool]
				if !known && verdictOf(evidence.Result{}, err) != "fault tool-not-resolved" {
					t.Errorf("%s is %q (%v), want a fault", tool, argv, err)
				}
				if known && (err != nil || strings.Join(argv, " ") != want) {
					t.Errorf("%s is %q (%v), want %q", tool, argv, err, want)
				}
			}
		})
	}
}

func TestAliases(t *testing.T) {
	site := newSite(t, nil)
	write(t, filepath.Join(site.Dir, ".cleo", "project-context.json"), `{"testing":{"command":"test"},"build":{"command":"build"},
		"lint":{"command":"lint"},"typecheck":{"command":"typecheck"},"audit":{"command":"audit"},"security-scan":{"command":"scan"}}`)
	for alias, want := range map[string]string{
		"test": "test", "pytest": "test", "go-test": "test", "cargo-test": "test", "pnpm-test": "test", "npm-test": "test", "yarn-test": "test",
		"bun-test": "test", "vitest": "test", "jest": "test", "go-build": "build", "cargo-build": "build", "pnpm-build": "build",
		"eslint": "lint", "biome": "lint", "clippy": "lint", "ruff": "lint", "prettier": "lint", "tsc": "typecheck", "mypy": "typecheck",
		"pyright": "typecheck", "npm-audit": "audit", "cargo-audit": "audit", "security-scan": "scan", "govulncheck": "scan",
		"nosuch": "", "e2e": "", "testing": "",
	} {
		argv, err := evidence.ResolveTool(site, alias)
		if want == "" {
			if verdictOf(evidence.Result{}, err) != "fault tool-not-resolved" || !strings.Contains(err.Error(), alias) {
				t.Errorf("%s is %q (%v), want a fault that names it", alias, argv, err)
			}
			continue
		}
		if err != nil || !slices.Equal(argv, []string{want}) {
			t.Errorf("%s is %q (%v), want %q", alias, argv, err, want)
		}
	}
}

func TestProjectContextDecides(t *testing.T) {
	tests := []struct {
		name, context string
		files         []string
		want          string // blank: a fault; a code: that error
	}{
		{"a command", `{"testing":{"command":"make check"}}`, nil, "make|check"},
		{"a command before the default", `{"testing":{"command":"make check"}}`, []string{"go.mod"}, "make|check"},
		{"quotes", `{"testing":{"command":"go test -run 'A B' ./..."}}`, nil, "go|test|-run|A B|./..."},
		{"nothing is expanded", `{"testing":{"command":"echo $HOME"}}`, nil, "echo|$HOME"},
		{"a shell for the tool", `{"testing":{"command":"cd a && make","shell":true}}`, nil, "sh|-c|cd a && make"},
		{"a shell for all", `{"shell":true,"testing":{"command":"a | b"}}`, nil, "sh|-c|a | b"},
		{"a shell for all but this", `{"shell":true,"testing":{"command":"a b","shell":false}}`, nil, "a|b"},
		{"an operator without a shell", `{"testing":{"command":"a && b"}}`, nil, "E_CONFIG_INVALID"},
		{"a blank command", `{"testing":{"command":"  "}}`, []string{"go.mod"}, "go|test|./..."},
		{"another tool's command", `{"build":{"command":"make"}}`, nil, ""},
		{"a primary type", `{"primaryType":"rust"}`, nil, "cargo|test"},
		{"a primary type among several", `{"primaryType":"node"}`, []string{"go.mod", "package.json", "yarn.lock"}, "yarn|run|test"},
		{"a primary type of CLEO's that we do not know", `{"primaryType":"bash"}`, []string{"go.mod"}, "go|test|./..."},
		{"CLEO's other keys", `{"schemaVersion":"1.0.0","monorepo":true,"testing":{"framework":"x","command":"make"},"llmHints":{}}`, nil, "make"},
		{"a byte-order mark", "\ufeff" + `{"testing":{"command":"make"}}`, nil, "make"},
		{"an empty object", `{}`, []string{"Cargo.toml"}, "cargo|test"},
		{"no JSON", `testing: make`, []string{"go.mod"}, "E_CONFIG_INVALID"},
		{"a list", `[]`, nil, "E_CONFIG_INVALID"},
		{"an empty file", ``, nil, "E_CONFIG_INVALID"},
		{"a wrong type", `{"testing":"make"}`, nil, "E_CONFIG_INVALID"},
		{"a number for a command", `{"testing":{"command":1}}`, nil, "E_CONFIG_INVALID"},
		{"a key twice", `{"testing":{"command":"a"},"testing":{"command":"b"}}`, nil, "E_CONFIG_INVALID"},
		{"trailing text", `{} {}`, nil, "E_CONFIG_INVALID"},
		{"too large", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, nil, "E_CONFIG_INVALID"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := newSite(t, nil)
			path := filepath.Join(site.Dir, ".cleo", "project-context.json")
			write(t, path, tt.context)
			for _, name := range tt.files {
				write(t, filepath.Join(site.Dir, name), scripts)
			}
			argv, err := evidence.ResolveTool(site, "test")
			switch {
			case tt.want == "":
				if verdictOf(evidence.Result{}, err) != "fault tool-not-resolved" {
					t.Errorf("the command is %q (%v), want a fault", argv, err)
				}
			case strings.HasPrefix(tt.want, "E_"):
				if string(contracts.CodeOf(err)) != tt.want || !strings.Contains(err.Error(), path) {
					t.Errorf("the command is %q (%v), want %s that names the file", argv, err, tt.want)
				}
			case err != nil || strings.Join(argv, "|") != tt.want:
				t.Errorf("the command is %q (%v), want %q", argv, err, tt.want)
			}
		})
	}
}

func TestAContextThatIsNoFileIsAnError(t *testing.T) {
	for name, arrange := range map[string]func(path string) error{
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
		"pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			site := newSite(t, map[string]string{".cleo/x": ""})
			if err := arrange(filepath.Join(site.Dir, ".cleo", "project-context.json")); err != nil {
				t.Fatal(err)
			}
			if _, err := evidence.ResolveTool(site, "test"); contracts.CodeOf(err) != contracts.CodeConfigInvalid {
				t.Errorf("error is %v, want %s", err, contracts.CodeConfigInvalid)
			}
			_, err := evidence.Evaluate(t.Context(), site, evidence.Atom{Kind: evidence.KindTool, Payload: "test"})
			if got := verdictOf(evidence.Result{}, err); got != "fault tool-not-resolved" {
				t.Errorf("evaluating ended in %s: %v", got, err)
			}
		})
	}
}

func TestTheProjectAndNotTheCandidateSaysWhatAToolIs(t *testing.T) {
	site := newSite(t, map[string]string{"Cargo.toml": "", ".cleo/project-context.json": `{"testing":{"command":"true"}}`})
	project := newSite(t, map[string]string{"go.mod": "module m\n"})
	site.ProjectRoot = project.Dir
	if argv, err := evidence.ResolveTool(site, "test"); err != nil || strings.Join(argv, " ") != "go test ./..." {
		t.Errorf("the command is %q (%v), want the one of the project", argv, err)
	}
	if err := os.Remove(filepath.Join(project.Dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	if argv, err := evidence.ResolveTool(site, "test"); err != nil || strings.Join(argv, " ") != "cargo test" {
		t.Errorf("the command is %q (%v), want the default of the worktree's type", argv, err)
	}
}

func TestAScriptThatIsNotDeclaredIsNoDefault(t *testing.T) {
	for name, manifest := range map[string]string{
		"no scripts": `{}`, "another script": `{"scripts":{"start":"x"}}`, "malformed": `{`, "a list of scripts": `{"scripts":["test"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := evidence.ResolveTool(newSite(t, map[string]string{"package.json": manifest}), "test")
			if got := verdictOf(evidence.Result{}, err); got != "fault tool-not-resolved" {
				t.Errorf("it ended in %s: %v", got, err)
			}
		})
	}
}

func TestToolAtom(t *testing.T) {
	tests := []struct{ name, command, want string }{
		{"passes", "true", "pass"},
		{"fails", "false", "fail"},
		{"runs in the worktree", "test -f marker", "pass"},
		{"another exit code", "sh -c 'exit 2'", "fail"},
		{"not installed", "nosuchprogram-xyz", "fault tool-not-resolved"},
		{"not found by a shell", "sh -c nosuchprogram-xyz", "fault tool-not-resolved"},
		{"a registry out of reach", "sh -c 'echo npm error code ENOTFOUND; exit 1'", "fault validator-unreachable"},
		{"an own refused connection", "sh -c 'echo connection refused; exit 1'", "fail"},
		{"a subcommand that is not installed", "sh -c 'echo error: no such command: \\`clippy\\`; exit 101'", "fault tool-not-resolved"},
		{"malformed", "a | b", "fault tool-not-resolved"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := newSite(t, map[string]string{"marker": ""})
			site.ProjectRoot = t.TempDir()
			quoted := strings.ReplaceAll(strings.ReplaceAll(tt.command, `\`, `\\`), `"`, `\"`)
			write(t, filepath.Join(site.ProjectRoot, ".cleo", "project-context.json"), `{"testing":{"command":"`+quoted+`"}}`)
			result, err := evidence.Evaluate(t.Context(), site, evidence.Atom{Kind: evidence.KindTool, Payload: "pytest"})
			if got := verdictOf(result, err); got != tt.want {
				t.Fatalf("it ended in %s (%v), want %s", got, err, tt.want)
			}
			if err == nil && (result.EvidenceRef() != "tool:pytest" || len(result.Argv) == 0 || result.Reason == "") {
				t.Errorf("the result says too little: %+v", result)
			}
			if err != nil && !strings.Contains(err.Error(), "tool:pytest") {
				t.Errorf("the fault %v does not name the atom", err)
			}
		})
	}
}

func TestDetectedContextIsReadBack(t *testing.T) {
	dir := t.TempDir()
	if _, ok := evidence.DetectProject(dir); ok {
		t.Error("an empty directory has a type")
	}
	if _, ok := evidence.DetectProject(filepath.Join(dir, "nowhere")); ok {
		t.Error("a missing directory has a type")
	}
	for _, name := range []string{"go.mod", "package.json"} {
		write(t, filepath.Join(dir, name), scripts)
	}
	detected, ok := evidence.DetectProject(dir)
	if !ok || detected.PrimaryType != "go" || !slices.Equal(detected.ProjectTypes, []string{"go", "node"}) {
		t.Fatalf("detected %+v", detected)
	}
	data, err := detected.Marshal()
	if err != nil || !strings.HasSuffix(string(data), "}\n") || !strings.Contains(string(data), `"command": "go test ./..."`) {
		t.Fatalf("the file is (%v)\n%s", err, data)
	}
	write(t, filepath.Join(dir, ".cleo", "project-context.json"), string(data))
	read, found, err := evidence.ReadProjectContext(dir)
	if err != nil || !found {
		t.Fatalf("found %v, error %v", found, err)
	}
	if again, err := read.Marshal(); err != nil || string(again) != string(data) {
		t.Errorf("read back it is (%v)\n%s", err, again)
	}
}
