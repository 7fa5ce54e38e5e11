package evidence

import "time"

// DefaultTimeout bounds a command whose check and [Site] set no bound.
const DefaultTimeout = 300 * time.Second

// Site is where claims are evaluated.
type Site struct {
	// Dir is the directory of the candidate: its worktree. Commands run in it, files are looked for in it.
	Dir string
	// ProjectRoot is the directory whose .cleo/project-context.json and build files say what a tool is. Empty means
	// Dir.
	ProjectRoot string
	// Head is the commit under validation. Empty means what HEAD of Dir names.
	Head string
	// Env is the whole environment of commands, in the form of os.Environ.
	Env []string
	// Timeout bounds a check that sets no bound of its own. Zero means [DefaultTimeout].
	Timeout time.Duration
}

func (s Site) timeout() time.Duration {
	if s.Timeout <= 0 {
		return DefaultTimeout
	}
	return s.Timeout
}

func (s Site) projectRoot() string {
	if s.ProjectRoot == "" {
		return s.Dir
	}
	return s.ProjectRoot
}
