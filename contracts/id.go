package contracts

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The forms of the identifiers, shared by the rules and the JSON Schemas.
const (
	taskIDPattern      = `^[A-Za-z][A-Za-z0-9_-]{0,63}$`
	validatorIDPattern = `^validator-[a-z0-9][a-z0-9-]*$`
	acIDPattern        = `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`

	// instantPattern is the grammar of RFC 3339; whether the day exists it cannot say.
	instantPattern = `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?` +
		`(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`
)

var (
	taskIDRegexp      = regexp.MustCompile(taskIDPattern)
	validatorIDRegexp = regexp.MustCompile(validatorIDPattern)
	acIDRegexp        = regexp.MustCompile(acIDPattern)
	instantRegexp     = regexp.MustCompile(instantPattern)
)

// IsTaskID reports whether s is a task id: a letter, then up to 63 letters, digits, underscores or hyphens.
func IsTaskID(s string) bool { return taskIDRegexp.MatchString(s) }

// IsValidatorID reports whether s is a Validator id: validator- and a discriminator in lower case.
func IsValidatorID(s string) bool { return validatorIDRegexp.MatchString(s) }

// IsACID reports whether s is the id of a criterion: a UUID of any version, in lower case and hyphenated.
func IsACID(s string) bool { return acIDRegexp.MatchString(s) }

// CheckTaskID returns an [Error] with [CodeInvalidInput] unless s is a task id.
func CheckTaskID(s string) error {
	if strings.TrimSpace(s) == "" {
		return Errorf(CodeInvalidInput, "task id is blank").WithFix("name a task, such as T1")
	}
	if !IsTaskID(s) {
		return Errorf(CodeInvalidInput, "%q is not a task id", s).
			WithFix("use a letter followed by up to 63 letters, digits, underscores or hyphens")
	}
	return nil
}

// Alias returns the alias of the criterion with the given 1-based ordinal, such as AC2.
func Alias(ordinal int) string { return "AC" + strconv.Itoa(ordinal) }

var aliasRegexp = regexp.MustCompile(`^(?i:AC)[1-9][0-9]{0,8}$`)

// IsAlias reports whether s has the form of a criterion's alias, without regard to case.
func IsAlias(s string) bool { return aliasRegexp.MatchString(s) }

// AtomID returns the evidence atom id under which an attestation writes its bindings.
func AtomID(validatorID, taskID string) string {
	return fmt.Sprintf("validator:%s:%s", validatorID, taskID)
}

// BindingType says who claims that a criterion is satisfied.
type BindingType string

// The three binding types.
const (
	// BindingDirect is the Worker's own evidence.
	BindingDirect BindingType = "direct"
	// BindingSatisfies is claimed from another task.
	BindingSatisfies BindingType = "satisfies"
	// BindingCoverage is written by a Validator.
	BindingCoverage BindingType = "coverage"
)
