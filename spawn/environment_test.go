package spawn

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

// TestValidatorEnvironment asks a real process for its environment: it is exactly the allow-list.
func TestValidatorEnvironment(t *testing.T) {
	p := newProject(t).withCommit()
	p.task("T1", "true")
	out := filepath.Join(t.TempDir(), "environ")
	s := p.spawner(p.playing("part-environ", out), func(o *Options) {
		o.Environ = []string{
			"PATH=/first", "PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LC_ALL=C", "LC_X=a\nb", "GOFLAGS=", "http_proxy=http://p",
			"SECRET_TOKEN=s3cret", "AWS_SECRET_ACCESS_KEY=s3cret", "SSH_AUTH_SOCK=/s", "GIT_DIR=/x", "LD_PRELOAD=/x", "PWD=/x",
			"CLEO_VALIDATOR_DB=/x", "CLEO_OWNER_OVERRIDE=1", "CLEO_TASK_ID=T9", "CLEO_AGENT_ROLE=orchestrator", "CLEO_VALIDATOR_ID=validator-9",
			"WANTED=yes", "PATHOLOGICAL=no", "=odd", "odd",
		}
		o.PassEnv = []string{"WANTED", "ABSENT"}
	})
	_, err := s.SpawnValidator(t.Context(), request("T1"))
	wantFault(t, err, contracts.FaultPartial)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(string(data), "\x00")
	slices.Sort(got)
	session := ""
	for _, entry := range got {
		if value, ok := strings.CutPrefix(entry, "CLEO_SESSION_ID="); ok {
			session = value
		}
	}
	if !strings.HasPrefix(session, "validator-T1-1-") {
		t.Errorf("the session is %q", session)
	}
	want := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LC_ALL=C", "LC_X=a\nb", "GOFLAGS=", "http_proxy=http://p", "WANTED=yes",
		"CLEO_AGENT_ROLE=worker", "CLEO_PROTOCOL_TYPE=validator", "CLEO_TASK_ID=T1", "CLEO_VALIDATOR_ID=validator-1",
		"CLEO_SESSION_ID=" + session, "CLEO_PROJECT_ROOT=" + p.dir, "CLEO_MODEL_TIER=normal", "CLEO_EVIDENCE_CACHE=off",
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestChecksDoNotSeeTheValidator keeps the id that a verdict needs from the code under judgement.
func TestChecksDoNotSeeTheValidator(t *testing.T) {
	p := newProject(t).withCommit()
	p.task("T1", `sh -c '! env | grep ^CLEO_'`)
	got, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
	if err != nil || got.Verdict.Kind() != contracts.VerdictAttest {
		t.Errorf("got %s, %v", got.Verdict.Canonical(), err)
	}
}

func TestWorkerEnvironment(t *testing.T) {
	got := workerEnvironment([]string{
		"B=1", "A=1", "A=2", "CLEO_TASK_ID=T1", "CLEO_VALIDATOR_TOKEN=x", "CLEO_VALIDATOR_ID=x", "CLEO_OWNER_OVERRIDE=1",
		"CLEO_OWNER_OVERRIDE_REASON=x", "CLEO_MODEL_TIER=small", "CLEO_HOME=/h", "SECRET_TOKEN=the Lead's",
	})
	want := []string{"A=2", "B=1", "CLEO_HOME=/h", "SECRET_TOKEN=the Lead's"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
