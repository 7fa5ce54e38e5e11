package evidence

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// declaredScripts returns the tools that need no script, and those whose script the package.json of dir declares.
// Running one that is not declared would fail, and blame the candidate for a default of ours.
func declaredScripts(dir string, tools map[string]string) map[string]string {
	scripts := packageScripts(dir)
	kept := map[string]string{}
	for tool, command := range tools {
		_, script, runsScript := strings.Cut(command, " run ")
		if _, declared := scripts[script]; declared || !runsScript {
			kept[tool] = command
		}
	}
	return kept
}

// packageScripts returns the scripts of the package.json in dir; none when it is absent or malformed.
func packageScripts(dir string) map[string]string {
	data, err := readBounded(filepath.Join(dir, "package.json"), maxContext)
	if err != nil {
		return nil
	}
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if err := json.Unmarshal(data, &manifest, jsontext.AllowDuplicateNames(true)); err != nil {
		return nil
	}
	return manifest.Scripts
}
