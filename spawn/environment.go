package spawn

import (
	"maps"
	"slices"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

// allowed lists the variables of the Lead's that a Validator gets: what a shell and a toolchain need, and no secret of
// anybody's. A name that ends in * stands for all that begin so.
var allowed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "TMPDIR", "TMP", "TEMP",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	"NO_COLOR", "CI", "SOURCE_DATE_EPOCH",
	// Proxies and certificates.
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "PIP_CERT",
	"CARGO_HTTP_CAINFO", "NIX_SSL_CERT_FILE",
	// Toolchains.
	"GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB",
	"GOTOOLCHAIN", "GOROOT", "GOENV", "GOOS", "GOARCH", "CGO_ENABLED",
	"CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "MAKEFLAGS",
	"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTFLAGS",
	"JAVA_HOME", "GRADLE_USER_HOME", "M2_HOME", "MAVEN_HOME", "ANDROID_HOME", "ANDROID_SDK_ROOT",
	"NVM_DIR", "NODE_PATH", "NPM_CONFIG_CACHE", "npm_config_cache", "PNPM_HOME", "VOLTA_HOME", "COREPACK_HOME", "DENO_DIR", "BUN_INSTALL",
	"PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_HOME",
	"GEM_HOME", "GEM_PATH", "BUNDLE_PATH", "RBENV_ROOT",
	"DOTNET_ROOT", "NUGET_PACKAGES", "COMPOSER_HOME", "MIX_HOME", "HEX_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "NIX_PATH",
}

// The variables that a Validator is told its task by.
const (
	envAgentRole     = "CLEO_AGENT_ROLE"
	envProtocolType  = "CLEO_PROTOCOL_TYPE"
	envTaskID        = "CLEO_TASK_ID"
	envValidatorID   = "CLEO_VALIDATOR_ID"
	envSessionID     = "CLEO_SESSION_ID"
	envProjectRoot   = "CLEO_PROJECT_ROOT"
	envModelTier     = "CLEO_MODEL_TIER"
	envEvidenceCache = "CLEO_EVIDENCE_CACHE"
)

// validatorVariables are the names that belong to one Validator, and to nobody that it starts or that follows it.
var validatorVariables = []string{
	envAgentRole, envProtocolType, envTaskID, envValidatorID, envSessionID, envProjectRoot, envModelTier, envEvidenceCache,
}

// validatorEnvironment returns the whole environment of one Validator, by name.
func (s *Spawner) validatorEnvironment(who identity, tier modelTier) map[string]string {
	env := map[string]string{}
	for name, value := range variables(s.opts.Environ) {
		if isAllowed(name) || slices.Contains(s.opts.PassEnv, name) {
			env[name] = value
		}
	}
	maps.Copy(env, map[string]string{
		envAgentRole:     string(contracts.RoleWorker), // to a harness, a Validator is a worker
		envProtocolType:  string(contracts.RoleValidator),
		envTaskID:        who.taskID,
		envValidatorID:   who.validatorID,
		envSessionID:     who.sessionID,
		envProjectRoot:   s.opts.ProjectRoot,
		envModelTier:     string(tier),
		envEvidenceCache: "off",
	})
	return env
}

// workerEnvironment returns the Lead's environment without what belongs to a Validator or to the owner.
func workerEnvironment(environ []string) []string {
	env := variables(environ)
	maps.DeleteFunc(env, func(name, _ string) bool {
		return slices.Contains(validatorVariables, name) ||
			strings.HasPrefix(name, "CLEO_VALIDATOR_") || strings.HasPrefix(name, "CLEO_OWNER_OVERRIDE")
	})
	return entries(env)
}

func isAllowed(name string) bool {
	return slices.ContainsFunc(allowed, func(pattern string) bool {
		prefix, wild := strings.CutSuffix(pattern, "*")
		return name == pattern || wild && strings.HasPrefix(name, prefix)
	})
}

// variables reads an environment; of several entries for one name the last counts, as it does for the os package.
func variables(environ []string) map[string]string {
	env := make(map[string]string, len(environ))
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" {
			env[name] = value
		}
	}
	return env
}

// entries writes an environment, in the order of the names.
func entries(env map[string]string) []string {
	out := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

func lookup(environ []string, name string) string { return variables(environ)[name] }

// checkPassEnv refuses what is no name, and names that the spawner itself sets.
func checkPassEnv(names []string) error {
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return contracts.Errorf(contracts.CodeInvalidInput, "%q is not the name of an environment variable", name).
				WithFix("name variables without their values, as in --pass-env API_KEY")
		}
		if slices.Contains(validatorVariables, name) {
			return contracts.Errorf(contracts.CodeInvalidInput, "%s is set for each Validator and cannot be passed on", name).
				WithFix("leave it out")
		}
	}
	return nil
}
