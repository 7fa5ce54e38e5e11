package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cleocode/cleo-validator/contracts"
)

// ProjectContext is what .cleo/project-context.json says about a project's tools. CLEO owns the file and keeps more
// in it, which is neither read nor checked here.
type ProjectContext struct {
	SchemaVersion string   `json:"schemaVersion,omitempty"`
	ProjectTypes  []string `json:"projectTypes,omitempty"`
	// PrimaryType is the type whose defaults apply to tools without a command: go, node, python, and so on.
	PrimaryType string `json:"primaryType,omitempty"`
	// Shell lets every command be interpreted by sh -c. A tool's own setting comes before it.
	Shell bool `json:"shell,omitzero"`

	Testing      ToolCommand `json:"testing,omitzero"`
	Build        ToolCommand `json:"build,omitzero"`
	Lint         ToolCommand `json:"lint,omitzero"`
	Typecheck    ToolCommand `json:"typecheck,omitzero"`
	Audit        ToolCommand `json:"audit,omitzero"`
	SecurityScan ToolCommand `json:"security-scan,omitzero"`
}

// ToolCommand is how one tool is run.
type ToolCommand struct {
	// Command is split into words as by [SplitWords], or handed to sh -c. Blank means the default of the project's
	// type.
	Command string `json:"command,omitempty"`
	// Shell chooses between the two. Nil means the file's setting.
	Shell *bool `json:"shell,omitempty"`
}

// maxContext bounds the file in bytes.
const maxContext = 1 << 20

// contextPath is where the file is in a project.
func contextPath(root string) string { return filepath.Join(root, ".cleo", "project-context.json") }

// ReadProjectContext reads .cleo/project-context.json of the project in root. It returns false when there is none,
// and a [contracts.Error] with [contracts.CodeConfigInvalid] that names the file when it cannot be read or is
// malformed.
func ReadProjectContext(root string) (ProjectContext, bool, error) {
	path := contextPath(root)
	data, err := readBounded(path, maxContext)
	if errors.Is(err, fs.ErrNotExist) {
		return ProjectContext{}, false, nil
	}
	if err != nil {
		return ProjectContext{}, false, badContext(path, err)
	}
	var project ProjectContext
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &project); err != nil {
		return ProjectContext{}, false, badContext(path, err)
	}
	return project, true, nil
}

// readBounded reads a plain file, without waiting for a pipe in its place.
func readBounded(path string, limit int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("is larger than %d bytes", limit)
	}
	return data, err
}

func badContext(path string, err error) error {
	return contracts.Errorf(contracts.CodeConfigInvalid, "reading %s: %w", path, err).
		WithFix("mend %s: a JSON object such as {\"testing\":{\"command\":\"go test ./...\"}}", path)
}

// DetectProject looks at the files of dir and returns the context that they suggest: the project's types, and the
// command of every tool of the primary one. It returns false when no type is known by those files.
func DetectProject(dir string) (ProjectContext, bool) {
	types := detectTypes(dir)
	if len(types) == 0 {
		return ProjectContext{}, false
	}
	project := ProjectContext{SchemaVersion: "1.0.0", PrimaryType: types[0].name}
	for _, row := range types {
		project.ProjectTypes = append(project.ProjectTypes, row.name)
	}
	for name, command := range types[0].tools {
		project.tool(name).Command = command
	}
	return project, true
}

// Marshal returns the content of the file, indented, with a line break at its end.
func (p ProjectContext) Marshal() ([]byte, error) {
	data, err := json.Marshal(p, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("formatting the project context: %w", err)
	}
	return append(data, '\n'), nil
}

// tool returns the section of a canonical tool.
func (p *ProjectContext) tool(name string) *ToolCommand {
	return map[string]*ToolCommand{
		toolTest: &p.Testing, toolBuild: &p.Build, toolLint: &p.Lint, toolTypecheck: &p.Typecheck,
		toolAudit: &p.Audit, toolSecurityScan: &p.SecurityScan,
	}[name]
}

// argv returns the command of a canonical tool, nil when the file sets none.
func (p *ProjectContext) argv(name string) ([]string, error) {
	tool := p.tool(name)
	if strings.TrimSpace(tool.Command) == "" {
		return nil, nil
	}
	shell := p.Shell
	if tool.Shell != nil {
		shell = *tool.Shell
	}
	if shell {
		return []string{"sh", "-c", tool.Command}, nil
	}
	return SplitWords(tool.Command)
}
