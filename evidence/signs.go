package evidence

import (
	"regexp"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

// environmentSign is how a line looks with which a program says that the environment let it down.
type environmentSign struct {
	kind    contracts.FaultKind
	manager string
	// word must be in the line. It only spares the look at form.
	word string
	// form is what the line looks like, in lower case and without surrounding blanks and colours.
	form *regexp.Regexp
	// arms marks a warning after which the manager may still succeed; armed marks an ending that needs such a warning.
	arms, armed bool
}

// environmentSigns holds the unmistakable lines of package managers and nothing else. A candidate's own test that
// prints "connection refused" has failed: a line belongs here only when its form shows that a package manager wrote
// it, and gave up.
var environmentSigns = []environmentSign{
	sign("cargo", "no such command", "^error: no such command: `").as(contracts.FaultToolNotResolved),
	sign("rustup", "is not installed for the toolchain", `^error: '\S+' is not installed for the toolchain`).as(contracts.FaultToolNotResolved),
	sign("npm", "npm err", `^npm (err!|error) network `),
	sign("npm", "npm err",
		`^npm (err!|error) code (enotfound|eai_again|econnrefused|econnreset|etimedout|e429|e50[234])$`),
	sign("npm", "npm err", `^npm (err!|error) (429|50[234]) `),
	sign("pnpm", "err_pnpm", `^err_pnpm_(meta_fetch_fail|fetch_(429|50[234]))\b`),
	sign("yarn", "an unexpected error occurred",
		`^error an unexpected error occurred: "https?://\S+: (getaddrinfo|connect e|request failed .*(429|50[234]))`),
	sign("yarn", "yn0001", `^\S+ yn0001: .*requesterror: (getaddrinfo|connect e)`),
	sign("bun", "downloading",
		`^error: (connectionrefused|failedtoopensocket|connectionclosed|timeout) downloading (package manifest|tarball)`),
	sign("deno", "error sending request", `^error: import 'https?://[^']+' failed: error sending request`),
	sign("go", "dial tcp", `^(go: |\S+\.go:\d+:\d+: ).*: get "https?://.*: dial tcp`),
	sign("go", "/@v/", `^(go: |\S+\.go:\d+:\d+: ).*: reading https?://\S+: (429|50[234]) `),
	sign("cargo", "failed to download from", "^(error: )?failed to download from `https?://"),
	sign("cargo", "could not", `^\[(6|7|28)\] could not (resolve host|connect to server)`),
	sign("pip", "retrying (retry(total=", `^warning: retrying \(retry\(`).arming(),
	sign("pip", "could not fetch url", `^could not fetch url https?://`).arming(),
	sign("pip", "error: ", `^error: (no matching distribution found|could not find a version)`).onceArmed(),
	sign("pip", "could not install packages",
		`^error: could not install packages due to an (oserror|environmenterror): https?connectionpool`),
	sign("uv", "failed to fetch", "^(error:|×) failed to fetch: `https?://"),
	sign("poetry", "all attempts to connect", `^all attempts to connect to \S+ failed`),
	sign("maven", "could not transfer artifact",
		`^\[error\].*could not transfer artifact .*(unknown host|connection refused|connect timed out|name resolution|status code: (429|50[234]))`),
	sign("gradle", "> could not", `^> could not (get|head) 'https?://[^']+'\.?( received status code (429|50[234]).*)?$`),
	sign("nuget", "nu1301", `error nu1301: unable to load the service index`),
	sign("bundler", "could not reach host", `^could not reach host \S+ check your network`),
	sign("bundler", "could not fetch specs", `^could not fetch specs from https?://`),
	sign("composer", "curl error", `^curl error (6|7|28) while downloading https?://`),
	sign("mix", "package fetch failed", `^\*\* \(mix\) package fetch failed`),
}

// sign makes a row for a manager that gave up on its registry.
func sign(manager, word, form string) environmentSign {
	return environmentSign{kind: contracts.FaultUnreachable, manager: manager, word: word, form: regexp.MustCompile(form)}
}

func (s environmentSign) as(kind contracts.FaultKind) environmentSign {
	s.kind = kind
	return s
}

func (s environmentSign) arming() environmentSign {
	s.arms = true
	return s
}

func (s environmentSign) onceArmed() environmentSign {
	s.armed = true
	return s
}

// environmentTrouble is a line that shows a fault of the environment.
type environmentTrouble struct {
	kind    contracts.FaultKind
	manager string
	line    string
}

// signWatch goes through the lines of one stream.
type signWatch struct {
	armed map[string]bool
}

// look returns what the line says about the environment, nil when it says nothing.
func (w *signWatch) look(line string) *environmentTrouble {
	line = withoutColours(line)
	plain := strings.ToLower(line)
	for _, sign := range environmentSigns {
		if !strings.Contains(plain, sign.word) || !sign.form.MatchString(plain) {
			continue
		}
		if sign.arms {
			w.arm(sign.manager)
		} else if !sign.armed || w.armed[sign.manager] {
			return &environmentTrouble{kind: sign.kind, manager: sign.manager, line: strings.ToValidUTF8(line, "\ufffd")}
		}
	}
	return nil
}

func (w *signWatch) arm(manager string) {
	if w.armed == nil {
		w.armed = map[string]bool{}
	}
	w.armed[manager] = true
}

var colourRegexp = regexp.MustCompile("\x1b\\[[0-9;]*m")

func withoutColours(line string) string {
	if strings.Contains(line, "\x1b") {
		line = colourRegexp.ReplaceAllString(line, "")
	}
	return strings.TrimSpace(line)
}
