package evidence

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The canonical tools, which a tool atom names.
const (
	toolTest         = "test"
	toolBuild        = "build"
	toolLint         = "lint"
	toolTypecheck    = "typecheck"
	toolAudit        = "audit"
	toolSecurityScan = "security-scan"
)

func canonicalTools() []string {
	return []string{toolTest, toolBuild, toolLint, toolTypecheck, toolAudit, toolSecurityScan}
}

// projectType is one way in which projects of a type are built.
type projectType struct {
	name string
	// markers are patterns of file names; a project is of the type when each of them has a file.
	markers []string
	// tools maps a canonical tool to its command line. A tool that is absent has no sensible default.
	tools map[string]string
}

// projectTypes holds the defaults. Rows that are more specific come first; the last row of a type is its general form.
func projectTypes() []projectType {
	return []projectType{
		{"deno", []string{"deno.json*"}, denoTools()},
		{"bun", []string{"bun.lock*"}, nodeTools("bun run")},
		{"bun", []string{"bunfig.toml"}, nodeTools("bun run")},
		{"go", []string{"go.mod"}, map[string]string{
			toolTest: "go test ./...", toolBuild: "go build ./...", toolLint: "go vet ./...",
			toolTypecheck: "go vet ./...", toolAudit: "govulncheck ./...", toolSecurityScan: "govulncheck ./...",
		}},
		{"rust", []string{"Cargo.toml"}, map[string]string{
			toolTest: "cargo test", toolBuild: "cargo build", toolLint: "cargo clippy --all-targets -- -D warnings",
			toolTypecheck: "cargo check --all-targets", toolAudit: "cargo audit", toolSecurityScan: "cargo audit",
		}},
		{"elixir", []string{"mix.exs"}, map[string]string{
			toolTest: "mix test", toolBuild: "mix compile", toolLint: "mix format --check-formatted",
			toolTypecheck: "mix compile --warnings-as-errors", toolAudit: "mix hex.audit", toolSecurityScan: "mix hex.audit",
		}},
		{"java", []string{"gradlew", "build.gradle*"}, gradleTools("./gradlew")},
		{"java", []string{"build.gradle*"}, gradleTools("gradle")},
		{"java", []string{"mvnw", "pom.xml"}, mavenTools("./mvnw")},
		{"java", []string{"pom.xml"}, mavenTools("mvn")},
		{"dotnet", []string{"*.sln"}, dotnetTools()},
		{"dotnet", []string{"*.slnx"}, dotnetTools()},
		{"dotnet", []string{"*.fsproj"}, dotnetTools()},
		{"dotnet", []string{"*.csproj"}, dotnetTools()},
		{"php", []string{"composer.json"}, map[string]string{
			toolTest: "vendor/bin/phpunit", toolBuild: "composer validate --no-check-publish", toolLint: "vendor/bin/phpcs",
			toolTypecheck: "vendor/bin/phpstan analyse", toolAudit: "composer audit", toolSecurityScan: "composer audit",
		}},
		{"ruby", []string{"Rakefile", "Gemfile"}, rubyTools("bundle exec rake test")},
		{"ruby", []string{"Gemfile"}, rubyTools("bundle exec rspec")},
		{"python", []string{"pyproject.toml"}, pythonTools()},
		{"python", []string{"setup.cfg"}, pythonTools()},
		{"python", []string{"requirements.txt"}, pythonTools()},
		{"python", []string{"setup.py"}, pythonTools()},
		{"node", []string{"pnpm-lock.yaml", "package.json"}, nodeTools("pnpm run")},
		{"node", []string{"yarn.lock", "package.json"}, nodeTools("yarn run")},
		{"node", []string{"package.json"}, nodeTools("npm run")},
	}
}

// nodeTools are the project's own scripts. A default that fetches a linter by name would run whatever is published
// under it.
func nodeTools(run string) map[string]string {
	manager, _, _ := strings.Cut(run, " ")
	return map[string]string{
		toolTest: run + " test", toolBuild: run + " build", toolLint: run + " lint", toolTypecheck: run + " typecheck",
		toolAudit: manager + " audit", toolSecurityScan: manager + " audit",
	}
}

func denoTools() map[string]string {
	return map[string]string{
		toolTest: "deno test", toolBuild: "deno task build", toolLint: "deno lint", toolTypecheck: "deno check .",
	}
}

// pythonTools start each program itself: python3 -m would turn a program that is not installed into a failing one.
func pythonTools() map[string]string {
	return map[string]string{
		toolTest: "pytest", toolBuild: "pyproject-build", toolLint: "ruff check .", toolTypecheck: "mypy .",
		toolAudit: "pip-audit", toolSecurityScan: "pip-audit",
	}
}

func mavenTools(run string) map[string]string {
	return map[string]string{
		toolTest: run + " -B test", toolBuild: run + " -B -DskipTests package", toolTypecheck: run + " -B compile",
	}
}

func gradleTools(run string) map[string]string {
	return map[string]string{
		toolTest: run + " test", toolBuild: run + " assemble", toolLint: run + " check -x test", toolTypecheck: run + " classes",
	}
}

func dotnetTools() map[string]string {
	return map[string]string{
		toolTest: "dotnet test", toolBuild: "dotnet build", toolLint: "dotnet format --verify-no-changes",
		toolTypecheck: "dotnet build", toolAudit: "dotnet list package --vulnerable",
		toolSecurityScan: "dotnet list package --vulnerable",
	}
}

func rubyTools(test string) map[string]string {
	return map[string]string{
		toolTest: test, toolBuild: "bundle check", toolLint: "bundle exec rubocop",
		toolAudit: "bundle exec bundle-audit check", toolSecurityScan: "bundle exec brakeman",
	}
}

// matches reports whether dir has a file for every marker.
func (t projectType) matches(names []string) bool {
	return !slices.ContainsFunc(t.markers, func(pattern string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			ok, _ := filepath.Match(pattern, name) // the patterns are ours and well-formed
			return ok
		})
	})
}

// detectTypes returns the rows that match the files of dir, one per type, the most specific one each. A directory that
// cannot be read has none.
func detectTypes(dir string) []projectType {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	var found []projectType
	for _, row := range projectTypes() {
		seen := slices.ContainsFunc(found, func(other projectType) bool { return other.name == row.name })
		if !seen && row.matches(names) {
			row.tools = declaredScripts(dir, row.tools)
			found = append(found, row)
		}
	}
	return found
}

// generalType returns the general row of a type by its name.
func generalType(name string) (projectType, bool) {
	rows := projectTypes()
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].name == name {
			return rows[i], true
		}
	}
	return projectType{}, false
}
