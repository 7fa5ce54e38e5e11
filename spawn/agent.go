package spawn

import (
	"path/filepath"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/proc"
)

// Agent is how a Validator is started. The zero Agent is the builtin one.
type Agent struct {
	name    string
	command argvTemplate // nil: builtin
}

// The names of the presets.
const (
	agentBuiltin = "builtin"
	agentCommand = "command"
)

// Name returns the name of the preset that the agent was made from.
func (a Agent) Name() string {
	if a.isBuiltin() {
		return agentBuiltin
	}
	return a.name
}

func (a Agent) isBuiltin() bool { return a.command == nil }

// FindAgent returns the agent of the preset that name names; empty means builtin. For the preset "command", command is
// what to run: it is split into words as a POSIX shell splits them, and {prompt_file}, {worktree}, {task} and {model}
// (normal or small) are replaced within the words. A program given by a relative path is one of the project's, as it
// lies there. An unknown name is an error with [contracts.CodeUnknownName].
func FindAgent(name, command string) (Agent, error) {
	switch name {
	case "", agentBuiltin:
		return Agent{}, nil
	case agentCommand:
		if strings.TrimSpace(command) == "" {
			return Agent{}, contracts.Errorf(contracts.CodeInvalidInput, "the agent %q has no command", name).
				WithFix(`say what to run, as in --agent-cmd "my-agent {prompt_file}"`)
		}
		words, err := parseTemplate(command, "{prompt_file}", "{worktree}", "{task}", "{model}")
		return Agent{name: name, command: words}, err
	}
	return Agent{}, contracts.Errorf(contracts.CodeUnknownName, "there is no agent %q", name).
		WithFix("choose %s or %s; cleo-validator agents lists them", agentBuiltin, agentCommand)
}

// Preset is one line of the list of agents.
type Preset struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Program is what the preset starts; empty when it starts this program, or is not configured.
	Program string `json:"program,omitempty"`
	// Installed says that the program is found.
	Installed bool `json:"installed"`
}

// Agents lists the presets. command is the configured command of the preset "command", whose program is looked up in the
// PATH of environ, or in dir when it is a relative path.
func Agents(command, dir string, environ []string) []Preset {
	presets := []Preset{
		{Name: agentBuiltin, Description: "re-runs the machine check of every criterion; needs no model", Installed: true},
		{Name: agentCommand, Description: "any program that reads a prompt file and prints one verdict envelope"},
	}
	agent, err := FindAgent(agentCommand, command)
	if err != nil {
		return presets
	}
	own := &presets[1]
	own.Program = agent.command[0]
	_, err = proc.Command{Argv: inDir(agent.command, dir), Env: environ}.Program()
	own.Installed = err == nil
	return presets
}

// inDir makes a program that is given by a relative path one of dir's.
func inDir(argv []string, dir string) []string {
	if !strings.ContainsRune(argv[0], '/') || filepath.IsAbs(argv[0]) {
		return argv
	}
	return append([]string{filepath.Join(dir, argv[0])}, argv[1:]...)
}

// modelTier names the model that an agent is to use, in terms that leave the model's name to the agent.
type modelTier string

const (
	tierNormal modelTier = "normal"
	tierSmall  modelTier = "small"
)

func tierOf(downgrade bool) modelTier {
	if downgrade {
		return tierSmall
	}
	return tierNormal
}
