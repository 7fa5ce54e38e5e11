package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

func writeSettings(t *testing.T, text string) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".cleo"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".cleo", "validator.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestTemplateShowsEveryDefault(t *testing.T) {
	want := defaultSettings()
	want.PassEnv = []string{}
	got, err := loadSettings(host{}, writeSettings(t, string(settingsTemplate)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaultSettings(), got); diff != "" {
		t.Errorf("the template as it is changes a default (-want +got):\n%s", diff)
	}
	uncommented := regexp.MustCompile(`(?m)^#( *[a-zA-Z]+:)`).ReplaceAllString(string(settingsTemplate), "$1")
	got, err = loadSettings(host{}, writeSettings(t, uncommented))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the template shows other defaults (-want +got):\n%s", diff)
	}
	for _, key := range []string{
		"require", "validatorRetryMax", "timeout", "budget", "parallel", "agent", "agentCommand", "worker", "passEnv", "durability",
	} {
		if !strings.Contains(uncommented, key+":") {
			t.Errorf("the template does not show %s", key)
		}
	}
}

func TestSettings(t *testing.T) {
	tests := map[string]struct {
		file    string
		environ []string
		want    func(*settings)
		code    contracts.Code
		says    string
	}{
		"OKEmpty":           {},
		"OKFile":            {file: "timeout: 10s\nparallel: 4\n", want: func(s *settings) { s.Timeout, s.Parallel = 10e9, 4 }},
		"OKGate":            {file: "gate:\n  require: any\n", want: func(s *settings) { s.Gate.Require = "any" }},
		"OKEnvironmentWins": {file: "parallel: 4\n", environ: []string{"CLEO_VALIDATOR_PARALLEL=7"}, want: func(s *settings) { s.Parallel = 7 }},
		"ErrUnknownKey":     {file: "timeout: 10s\nretrymax: 3\n", code: contracts.CodeConfigInvalid, says: "[2:1]"},
		"ErrWrongType":      {file: "parallel: many\n", code: contracts.CodeConfigInvalid, says: "[1:11]"},
		"ErrNotYAML":        {file: "{", code: contracts.CodeConfigInvalid},
		"ErrDuration":       {file: "timeout: soon\n", code: contracts.CodeConfigInvalid, says: "soon"},
		"ErrNothing":        {file: "timeout: 0s\n", code: contracts.CodeConfigInvalid, says: "longer than nothing"},
		"ErrRetryMax":       {file: "validatorRetryMax: 0\n", code: contracts.CodeConfigInvalid, says: "at least 1"},
		"ErrPolicy":         {file: "gate:\n  require: most\n", code: contracts.CodeConfigInvalid, says: "most"},
		"ErrDurability":     {environ: []string{"CLEO_VALIDATOR_DURABILITY=lax"}, code: contracts.CodeConfigInvalid, says: "lax"},
		"ErrEnvironment":    {environ: []string{"CLEO_VALIDATOR_RETRY_MAX=x"}, code: contracts.CodeConfigInvalid, says: "CLEO_VALIDATOR_RETRY_MAX"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := loadSettings(host{environ: test.environ}, writeSettings(t, test.file))
			if code := contracts.CodeOf(err); code != test.code {
				t.Fatalf("code %q, want %q: %v", code, test.code, err)
			}
			if err != nil {
				if !strings.Contains(err.Error(), test.says) {
					t.Errorf("message %q does not say %q", err, test.says)
				}
				return
			}
			want := defaultSettings()
			if test.want != nil {
				test.want(&want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
