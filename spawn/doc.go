// Package spawn turns "validate this task at this commit" into one isolated, supervised process, and hands back its verdict
// or a fault. Start at [Spawner.SpawnValidator]; [Worker] is the same for the agent that mends what was rejected.
//
// An attempt has a detached worktree of the candidate commit, outside the project's tree; an environment from an
// allow-list; a prompt that holds the rules and the acceptance criteria, and nothing of the Worker's; a process group of
// its own with a deadline; and its files below .cleo/runs. Whatever happens, the process is gone and the worktree removed
// when SpawnValidator returns; what a killed Lead left is removed by the next one.
//
// The package decides neither on a verdict, which package tools does, nor on a retry, which package runtime does.
package spawn
