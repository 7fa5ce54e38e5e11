package evidence

import (
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

// signOf returns the fault kind that an output shows, empty for none.
func signOf(text string) contracts.FaultKind {
	out := newOutput("")
	stream := out.stream()
	_, _ = stream.Write([]byte(text))
	stream.finish()
	if out.trouble == nil {
		return ""
	}
	return out.trouble.kind
}

func TestPackageManagersThatGaveUp(t *testing.T) {
	tests := []struct{ name, text string }{
		{"npm 11", "npm error network request to https://reg.invalid/leftpad failed, reason: getaddrinfo ENOTFOUND reg.invalid"},
		{"npm 9", "npm ERR! network getaddrinfo ENOTFOUND registry.npmjs.org registry.npmjs.org:443"},
		{"npm code", "npm error code ECONNREFUSED\nnpm error syscall connect"},
		{"npm 429", "npm ERR! code E429\nnpm ERR! 429 Too Many Requests - GET https://registry.npmjs.org/x"},
		{"npm in colour", "\x1b[31mnpm\x1b[0m \x1b[31merror\x1b[0m code EAI_AGAIN\r\n"},
		{"pnpm", " ERR_PNPM_META_FETCH_FAIL  GET https://registry.npmjs.org/x: request to https://registry.npmjs.org/x failed"},
		{"yarn 1", `error An unexpected error occurred: "https://registry.yarnpkg.com/bower: getaddrinfo ENOTFOUND registry.yarnpkg.com".`},
		{"yarn 4", "➤ YN0001: │ RequestError: getaddrinfo ENOTFOUND registry.yarnpkg.com"},
		{"bun", "error: ConnectionRefused downloading package manifest left-pad"},
		{"deno", "error: Import 'https://deno.land/std/a.ts' failed: error sending request for url (https://deno.land/std/a.ts)"},
		{"go, a package", `x.go:2:8: github.com/z/y@v1.2.3: Get "https://proxy.invalid/github.com/z/y/@v/v1.2.3.zip": dial tcp: lookup proxy.invalid: no such host`},
		{"go, a module", `go: github.com/z/y@v1.2.3: Get "http://127.0.0.1:1/z/y/@v/v1.2.3.info": dial tcp 127.0.0.1:1: connect: connection refused`},
		{"go, 503", "go: github.com/z/y@v1.2.3: reading https://proxy.golang.org/github.com/z/y/@v/v1.2.3.info: 503 Service Unavailable"},
		{"cargo", "Caused by:\n  failed to download from `https://index.crates.io/config.json`\n"},
		{"cargo, curl", "Caused by:\n  [6] Could not resolve hostname (Could not resolve host: index.crates.io)"},
		{"pip", "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError'\nERROR: No matching distribution found for x"},
		{"pip, connection error", "Could not fetch URL https://pypi.org/simple/x/: connection error: x - skipping\nERROR: Could not find a version that satisfies the requirement x"},
		{"pip, download", "ERROR: Could not install packages due to an OSError: HTTPSConnectionPool(host='files.pythonhosted.org', port=443): Max retries exceeded"},
		{"uv", "error: Failed to fetch: `https://pypi.org/simple/x/`"},
		{"poetry", "All attempts to connect to pypi.org failed."},
		{"maven", "[ERROR] Could not transfer artifact a:b:pom:1 from/to central (https://repo.maven.apache.org/maven2): repo.maven.apache.org: Unknown host"},
		{"gradle", "   > Could not GET 'https://repo.maven.apache.org/maven2/a/b/1/b-1.pom'.\n"},
		{"nuget", "/p/x.csproj : error NU1301: Unable to load the service index for source https://api.nuget.org/v3/index.json."},
		{"bundler", "Could not reach host index.rubygems.org. Check your network\nconnection and try again."},
		{"composer", "  curl error 6 while downloading https://repo.packagist.org/packages.json: Could not resolve host"},
		{"mix", "** (Mix) Package fetch failed and no cached copy available (https://repo.hex.pm/tarballs/x.tar)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := signOf("compiling\n" + tt.text + "\nthe end\n"); got != contracts.FaultUnreachable {
				t.Errorf("the sign is %q, want %q", got, contracts.FaultUnreachable)
			}
		})
	}
}

func TestCommandsThatAreNotInstalled(t *testing.T) {
	for name, text := range map[string]string{
		"cargo":  "error: no such command: `clippy`\n\nhelp: view all installed commands with `cargo --list`",
		"rustup": "error: 'cargo-clippy' is not installed for the toolchain 'stable-x86_64'.",
	} {
		t.Run(name, func(t *testing.T) {
			if got := signOf(text); got != contracts.FaultToolNotResolved {
				t.Errorf("the sign is %q, want %q", got, contracts.FaultToolNotResolved)
			}
		})
	}
}

func TestTheCandidatesOwnFailuresAreNoSign(t *testing.T) {
	tests := []struct{ name, text string }{
		{"a refused connection", "Error: connect ECONNREFUSED 127.0.0.1:5432"},
		{"a refused connection in Go", "dial tcp 127.0.0.1:8080: connect: connection refused"},
		{"a Go test's log", `    client_test.go:12: Get "http://127.0.0.1:1/@v/x": dial tcp 127.0.0.1:1: connect: connection refused`},
		{"a Go test's failure line", "--- FAIL: TestFetch (0.00s)\n    fetch_test.go:20: lookup nosuch.invalid: no such host"},
		{"a compile error", "x.go:2:8: undefined: dial"},
		{"a name not found", "getaddrinfo ENOTFOUND api.example.com"},
		{"a quotation", `expected output to contain "npm error network request failed"`},
		{"a failing npm script", "npm error code ELIFECYCLE\nnpm error errno 1"},
		{"a package that does not exist", "npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/nosuch"},
		{"a version that does not exist", "ERROR: Could not find a version that satisfies the requirement x==99\nERROR: No matching distribution found for x==99"},
		{"a retry that then worked", "WARNING: Retrying (Retry(total=4)) after connection broken by 'x'\nSuccessfully installed x\nFAILED test_x.py"},
		{"a retry of cargo that then worked", "warning: spurious network error (3 tries remaining): [6] Could not resolve host\ntest result: FAILED"},
		{"a retry of yarn that then worked", "info There appears to be trouble with your network connection. Retrying...\nerror Command failed with exit code 1."},
		{"a missing module", "go: github.com/z/y@v9.9.9: reading https://proxy.golang.org/github.com/z/y/@v/v9.9.9.info: 404 Not Found"},
		{"a missing artifact", "> Could not GET 'https://repo.example.com/x.pom'. Received status code 404 from server: Not Found"},
		{"a number in a test", "503 Service Unavailable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := signOf(tt.text + "\n"); got != "" {
				t.Errorf("the sign is %q, want none", got)
			}
		})
	}
}

func TestEverySignsWordIsPartOfItsForm(t *testing.T) {
	for _, sign := range environmentSigns {
		if sign.word != strings.ToLower(sign.word) || sign.form.String() != strings.ToLower(sign.form.String()) &&
			!strings.Contains(sign.form.String(), `\S`) {
			t.Errorf("%s: %q and %q are matched against lower-case lines", sign.manager, sign.word, sign.form)
		}
	}
}
