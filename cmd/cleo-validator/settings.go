package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
	"github.com/cleocode/cleo-validator/tools"
)

// settings are what .cleo/validator.yaml and the environment decide; flags override them.
type settings struct {
	Gate struct {
		Require string `yaml:"require"`
	} `yaml:"gate"`
	// ValidatorRetryMax is the shared retry budget of a run.
	ValidatorRetryMax int `yaml:"validatorRetryMax"`
	// Timeout bounds one Validator attempt, Budget a whole run.
	Timeout duration `yaml:"timeout"`
	Budget  duration `yaml:"budget"`
	// Parallel is how many tasks a run validates side by side.
	Parallel int `yaml:"parallel"`
	// Agent names the Validator; AgentCommand is the argv template of the agent "command".
	Agent        string `yaml:"agent"`
	AgentCommand string `yaml:"agentCommand"`
	// Worker is the argv template of the command that mends a rejected candidate. Empty: there is none.
	Worker string `yaml:"worker"`
	// PassEnv names variables that a Validator gets beyond the allow-list.
	PassEnv []string `yaml:"passEnv"`
	// Durability is full or normal.
	Durability string `yaml:"durability"`
}

func defaultSettings() settings {
	s := settings{
		ValidatorRetryMax: 3,
		Timeout:           duration(300 * time.Second),
		Budget:            duration(30 * time.Minute),
		Parallel:          2,
		Agent:             "builtin",
		Durability:        string(store.DurabilityFull),
	}
	s.Gate.Require = string(tools.RequireValidator)
	return s
}

// settingsByEnv is the table of the environment variables that override the file.
var settingsByEnv = []struct {
	name  string
	apply func(*settings, string) error
}{
	{"CLEO_VALIDATOR_GATE_REQUIRE", func(s *settings, v string) error { s.Gate.Require = v; return nil }},
	{"CLEO_VALIDATOR_RETRY_MAX", func(s *settings, v string) (err error) { s.ValidatorRetryMax, err = strconv.Atoi(v); return err }},
	{"CLEO_VALIDATOR_TIMEOUT", func(s *settings, v string) error { return s.Timeout.UnmarshalText([]byte(v)) }},
	{"CLEO_VALIDATOR_BUDGET", func(s *settings, v string) error { return s.Budget.UnmarshalText([]byte(v)) }},
	{"CLEO_VALIDATOR_PARALLEL", func(s *settings, v string) (err error) { s.Parallel, err = strconv.Atoi(v); return err }},
	{"CLEO_VALIDATOR_AGENT", func(s *settings, v string) error { s.Agent = v; return nil }},
	{"CLEO_VALIDATOR_AGENT_COMMAND", func(s *settings, v string) error { s.AgentCommand = v; return nil }},
	{"CLEO_VALIDATOR_WORKER", func(s *settings, v string) error { s.Worker = v; return nil }},
	{"CLEO_VALIDATOR_PASS_ENV", func(s *settings, v string) error { s.PassEnv = strings.Split(v, ","); return nil }},
	{"CLEO_VALIDATOR_DURABILITY", func(s *settings, v string) error { s.Durability = v; return nil }},
}

// loadSettings reads the project's file, when there is one, and the environment on top of it.
func loadSettings(h host, projectRoot string) (settings, error) {
	s := defaultSettings()
	path := filepath.Join(projectRoot, ".cleo", "validator.yaml")
	if err := s.readFile(path); err != nil {
		return settings{}, err
	}
	for _, variable := range settingsByEnv {
		value := h.getenv(variable.name)
		if value == "" {
			continue
		}
		if err := variable.apply(&s, value); err != nil {
			return settings{}, contracts.Errorf(contracts.CodeConfigInvalid, "%s=%q: %w", variable.name, value, err).
				WithFix("set %s to a value of its form, or unset it", variable.name)
		}
	}
	return s, s.check(path)
}

func (s *settings) readFile(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return contracts.Errorf(contracts.CodeConfigInvalid, "reading the configuration: %w", err).
			WithFix("make .cleo/validator.yaml a readable file, or remove it")
	}
	var document any
	if err := yaml.Unmarshal(data, &document); err == nil && document == nil {
		return nil // comments only, which would otherwise reset every default
	}
	err = yaml.UnmarshalWithOptions(data, s, yaml.Strict())
	if err == nil {
		return nil
	}
	first, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
	return contracts.Errorf(contracts.CodeConfigInvalid, "%s: %s", path, first).
		WithFix("mend the line and column in brackets; cleo-validator init --help lists the keys")
}

// check refuses values that are of the right type but mean nothing.
func (s *settings) check(path string) error {
	complain := func(format string, args ...any) error {
		return contracts.Errorf(contracts.CodeConfigInvalid, format, args...).
			WithFix("mend %s, or the environment variable that overrides it", path)
	}
	if _, err := tools.ParseRequire(s.Gate.Require); err != nil {
		return complain("gate.require: %w", err)
	}
	if _, err := store.ParseDurability(s.Durability); err != nil {
		return complain("durability: %w", err)
	}
	switch {
	case s.ValidatorRetryMax < 1:
		return complain("validatorRetryMax must be at least 1, not %d", s.ValidatorRetryMax)
	case s.Timeout <= 0 || s.Budget <= 0:
		return complain("timeout and budget must be longer than nothing")
	case s.Parallel < 1:
		return complain("parallel must be at least 1, not %d", s.Parallel)
	}
	return nil
}
