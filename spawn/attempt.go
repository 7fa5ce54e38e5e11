package spawn

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/proc"
	"github.com/cleocode/cleo-validator/store"
)

// identity is who a Validator is.
type identity struct {
	taskID, validatorID, sessionID string
}

func (s *Spawner) identify(taskID, validatorID string, attempt int) identity {
	session := fmt.Sprintf("validator-%s-%d-%d", taskID, attempt, s.opts.Now().Unix())
	return identity{taskID, validatorID, session}
}

// attempt is one Validator, from its place to its answer.
type attempt struct {
	*Spawner
	task  store.Task
	who   identity
	tier  modelTier
	files runFiles
	place *site
}

// SpawnValidator starts one Validator at the candidate as it is now and waits for its verdict, which has gone through
// validator.attest or validator.reject when it is returned. The error is a [*contracts.Fault] when the Validator gave
// none, the cause of ctx when that ended, or a [contracts.Error] when no Validator could be started. The process and the
// worktree are gone in each case.
//
// A fault comes with what was seen of the process. [Spawner.Preflight] tells most errors beforehand, uncommitted changes
// among them, which are not looked for here: the owner may go on working while a run is under way.
func (s *Spawner) SpawnValidator(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
	task, err := s.admit(ctx, req.TaskID, req.ValidatorID)
	if err != nil {
		return contracts.Attempt{}, err
	}
	files, err := makeRunFiles(s.opts.ProjectRoot, req.RunID, req.AttemptNumber)
	if err != nil {
		return contracts.Attempt{}, err
	}
	place, err := s.open(ctx, req.RunID+"-"+strconv.Itoa(req.AttemptNumber), s.opts.NoWorktree)
	if err != nil {
		return contracts.Attempt{}, err
	}
	defer place.Close(ctx)
	a := &attempt{
		Spawner: s, task: task, who: s.identify(req.TaskID, req.ValidatorID, req.AttemptNumber),
		tier: tierOf(req.DowngradeModelTier), files: files, place: place,
	}
	got := contracts.Attempt{Subject: place.subject}
	got.Verdict, got.Detail, err = a.run(ctx, req.PreviousRejection)
	return got, err
}

// run starts the agent and waits for its end.
func (a *attempt) run(ctx context.Context, previous contracts.Verdict) (contracts.Verdict, map[string]any, error) {
	argv, err := a.argv(previous)
	if err != nil {
		return contracts.Verdict{}, nil, err
	}
	stdout, err := a.files.log("stdout.log", a.opts.LogCap, maxAnswer)
	if err != nil {
		return contracts.Verdict{}, nil, err
	}
	defer stdout.Close()
	stderr, err := a.files.log("stderr.log", a.opts.LogCap, detailTail)
	if err != nil {
		return contracts.Verdict{}, nil, err
	}
	defer stderr.Close()
	exit, err := proc.Run(ctx, proc.Command{
		Argv: argv, Dir: a.place.dir, Env: entries(a.validatorEnvironment(a.who, a.tier)),
		Stdout: stdout, Stderr: stderr, Timeout: a.opts.Timeout, Grace: a.opts.Grace,
	})
	if err != nil {
		return a.cutShort(ctx, err)
	}
	end := ending{exit: exit, timeout: a.opts.Timeout, stdout: stdout, stderr: stderr, answer: readAnswer(stdout.Tail())}
	verdict, err := a.conclude(ctx, end)
	if err != nil {
		return contracts.Verdict{}, end.detail(), err
	}
	return verdict, nil, nil
}

// argv writes what the agent reads and returns the command that starts it.
func (a *attempt) argv(previous contracts.Verdict) ([]string, error) {
	prompt, err := a.files.write("prompt.md", []byte(a.prompt(a.task, a.who, a.place, "", previous)))
	if err != nil {
		return nil, err
	}
	assignment, err := a.files.writeJSON("assignment.json",
		newAssignment(a.task, a.who.validatorID, a.place, a.opts.ProjectRoot, a.opts.Timeout))
	if err != nil {
		return nil, err
	}
	if a.opts.Agent.isBuiltin() {
		return append(a.opts.Self[:len(a.opts.Self):len(a.opts.Self)], assignment), nil
	}
	argv := a.opts.Agent.command.expand(map[string]string{
		"{prompt_file}": prompt, "{worktree}": a.place.dir, "{task}": a.task.ID, "{model}": string(a.tier),
	})
	return inDir(argv, a.opts.ProjectRoot), nil
}

func (s *Spawner) prompt(task store.Task, who identity, place *site, scope string, previous contracts.Verdict) string {
	return writePrompt(task, promptData{
		TaskID: who.taskID, ValidatorID: who.validatorID, Commit: place.subject.Commit, Dir: place.dir, Scope: scope,
		Timeout: s.opts.Timeout,
	}, previous)
}

// cutShort deals with a process that did not run to its end: what it shipped by itself before counts all the same.
func (a *attempt) cutShort(ctx context.Context, err error) (contracts.Verdict, map[string]any, error) {
	if verdict, found, _ := a.shippedAlone(ctx); found {
		return verdict, nil, nil
	}
	return contracts.Verdict{}, nil, err
}

// settlingTime bounds what is done for a finished process whose context has ended.
const settlingTime = 30 * time.Second

// shippedAlone returns the verdict that the agent shipped by calling the tools itself.
func (a *attempt) shippedAlone(ctx context.Context) (contracts.Verdict, bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settlingTime)
	defer cancel()
	return a.ledger.VerdictBy(ctx, a.who.taskID, a.who.validatorID)
}
