package spawn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

// stateDir returns where this program keeps what does not belong in the project. Nothing is made.
func (s *Spawner) stateDir() (string, error) {
	if s.opts.StateDir != "" {
		return filepath.Abs(s.opts.StateDir)
	}
	if dir := lookup(s.opts.Environ, "XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "cleo-validator"), nil
	}
	if home := lookup(s.opts.Environ, "HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "cleo-validator"), nil
	}
	return "", contracts.Errorf(contracts.CodeSpawnFailed, "there is no place for worktrees: neither XDG_STATE_HOME nor HOME is an absolute path").
		WithFix("set XDG_STATE_HOME to a directory outside the project")
}

// yard returns the repository's yard. A worktree within the project's tree would be part of what is judged.
func (s *Spawner) yard(ctx context.Context) (yard, error) {
	state, err := s.stateDir()
	if err != nil {
		return yard{}, err
	}
	top, err := s.repo.TopLevel(ctx)
	if err != nil {
		return yard{}, err
	}
	common, err := s.repo.CommonDir(ctx)
	if err != nil {
		return yard{}, err
	}
	state, top = realPath(state), realPath(top)
	if within(state, top) {
		return yard{}, contracts.Errorf(contracts.CodeSpawnFailed, "the worktrees would lie inside the project's own tree, in %q", state).
			WithFix("set XDG_STATE_HOME to a directory outside %q", top)
	}
	sum := sha256.Sum256([]byte(realPath(common)))
	return yard{
		dir:  filepath.Join(state, "worktrees", hex.EncodeToString(sum[:8])),
		repo: s.repo, now: s.opts.Now, warn: s.opts.Warn,
	}, nil
}

// realPath resolves the links in path as far as the path exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return path // a link into nothing
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}

// within reports whether path is dir or lies below it; both are absolute and clean.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
