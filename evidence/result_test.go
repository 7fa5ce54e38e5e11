package evidence_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/evidence"
)

func TestEvidenceRef(t *testing.T) {
	tool := evidence.Result{Kind: evidence.KindTool, Payload: "test"}
	files := evidence.Result{Kind: evidence.KindFiles, Payload: "a, b", Files: map[string]string{"a": "00ff"}}
	tests := []struct {
		name   string
		result evidence.Result
		want   string
	}{
		{"tool", tool, "tool:test"},
		{"commit", evidence.Result{Kind: evidence.KindCommit, Payload: "9f3e2a1"}, "commit:9f3e2a1"},
		{"files", files, "files:a sha256:00ff,b"},
		{"command", evidence.Result{Kind: evidence.KindCommand, Payload: "make  build\n", Reason: "exit code 0"}, "note:ran make build: exit code 0"},
		{"atoms", evidence.Result{Kind: evidence.KindAtoms, Payload: "x", Parts: []evidence.Result{tool, files}}, "tool:test;files:a sha256:00ff,b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.result.EvidenceRef(); got != tt.want {
				t.Errorf("the reference is %q, want %q", got, tt.want)
			}
		})
	}
	long := evidence.Result{Kind: evidence.KindCommand, Payload: strings.Repeat("日", 1000)}.EvidenceRef()
	if n := utf8.RuneCountInString(strings.TrimPrefix(long, "note:")); n != 512 {
		t.Errorf("a long note has %d characters, want 512", n)
	}
}

func TestResultsJSON(t *testing.T) {
	got, err := json.Marshal(evidence.Result{
		Kind: evidence.KindTool, Payload: "test", OK: true, Reason: "exit code 0", DurationMs: 1500,
		Argv: []string{"go", "test"}, OutputTail: "ok",
	}, json.Deterministic(true))
	want := `{"kind":"tool","payload":"test","ok":true,"reason":"exit code 0","exitCode":0,"durationMs":1500,` +
		`"outputTail":"ok","argv":["go","test"]}`
	if err != nil || string(got) != want {
		t.Errorf("JSON is %s (%v), want %s", got, err, want)
	}
}
