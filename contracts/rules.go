package contracts

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/go-playground/validator/v10"
)

// rules returns the checker of the struct tags. It is built once: building it reflects over every rule.
var rules = sync.OnceValue(func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	for tag, holds := range map[string]func(string) bool{
		"taskid":      IsTaskID,
		"validatorid": IsValidatorID,
		"acid":        IsACID,
		"notblank":    func(s string) bool { return strings.TrimSpace(s) != "" },
		"instant":     isInstant,
	} {
		if err := v.RegisterValidation(tag, func(f validator.FieldLevel) bool { return holds(f.Field().String()) }); err != nil {
			panic(err) // only a blank tag or a nil function is refused
		}
	}
	v.RegisterStructValidation(checkAttestation, Attestation{})
	v.RegisterStructValidation(checkRejection, Rejection{})
	return v
})

// isInstant reports whether s is an RFC 3339 instant, which always names its zone. Package time checks that the day
// exists, but is lenient on the grammar (a comma, an hour of one digit).
func isInstant(s string) bool {
	if !instantRegexp.MatchString(s) {
		return false
	}
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// The names of the rules that look at all findings together.
const (
	ruleAllPass     = "allpass"
	ruleSomeNonPass = "somenonpass"
	ruleUniqueAC    = "uniqueac"
)

// checkAttestation holds every finding to a pass.
func checkAttestation(level validator.StructLevel) {
	a := level.Current().Interface().(Attestation)
	for i, f := range a.Findings {
		if f.Status == StatusFail || f.Status == StatusInconclusive {
			level.ReportError(f.Status, fmt.Sprintf("findings[%d].status", i), "Findings", ruleAllPass, "")
		}
	}
	checkUnique(level, a.Findings)
}

// checkRejection wants at least one finding that is not a pass.
func checkRejection(level validator.StructLevel) {
	r := level.Current().Interface().(Rejection)
	passes := 0
	for _, f := range r.Findings {
		if f.Status == StatusPass {
			passes++
		}
	}
	if passes == len(r.Findings) && passes > 0 {
		level.ReportError(r.Findings, "findings", "Findings", ruleSomeNonPass, "")
	}
	checkUnique(level, r.Findings)
}

// checkUnique refuses a second finding on the same criterion.
func checkUnique(level validator.StructLevel, findings []Finding) {
	first := make(map[string]int, len(findings))
	for i, f := range findings {
		if earlier, seen := first[f.ACID]; !seen {
			first[f.ACID] = i
		} else if IsACID(f.ACID) {
			level.ReportError(f.ACID, fmt.Sprintf("findings[%d].acId", i), "Findings", ruleUniqueAC, fmt.Sprint(earlier))
		}
	}
}

// messages is the one table from a rule to what the sender is told.
var messages = map[string]func(validator.FieldError) string{
	"taskid": func(validator.FieldError) string {
		return "must be a task id: a letter, then up to 63 letters, digits, underscores or hyphens"
	},
	"validatorid": func(validator.FieldError) string {
		return "must be validator- followed by lower-case letters, digits and hyphens"
	},
	"acid":     func(validator.FieldError) string { return "must be a UUID in lower case, hyphenated" },
	"notblank": func(validator.FieldError) string { return "must not be blank" },
	"instant":  func(validator.FieldError) string { return "must be an RFC 3339 instant with a zone" },
	"eq":       func(e validator.FieldError) string { return fmt.Sprintf("must be %q", e.Param()) },
	"oneof": func(e validator.FieldError) string {
		return "must be one of " + strings.ReplaceAll(e.Param(), " ", ", ")
	},
	"min": func(validator.FieldError) string { return "must have at least one entry" },
	ruleAllPass: func(validator.FieldError) string {
		return "must be pass in an attestation; anything else needs a rejection"
	},
	ruleSomeNonPass: func(validator.FieldError) string {
		return "must have at least one finding that is not pass; when all pass, attest"
	},
	ruleUniqueAC: func(e validator.FieldError) string {
		return fmt.Sprintf("is the same as findings[%s].acId", e.Param())
	},
}

// checkRules returns every rule that v, a struct, breaks.
func checkRules(v any) []Violation {
	var broken validator.ValidationErrors
	if err := rules().Struct(v); !errors.As(err, &broken) {
		return nil
	}
	violations := make([]Violation, 0, len(broken))
	for _, e := range broken {
		_, path, _ := strings.Cut(e.Namespace(), ".")
		violations = append(violations, Violation{Path: path, Message: messages[e.Tag()](e)})
	}
	return violations
}
