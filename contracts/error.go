package contracts

import (
	"errors"
	"fmt"
)

// Error is the one error form of the project: a code from the closed list, what was wrong, and what to do next.
// errors.As finds it through wrapping; its JSON form is the failing half of every tool's answer.
type Error struct {
	Code    Code
	Message string
	// Details is a JSON object for programs: the violations, the uncovered criteria. Nil when there is none.
	Details map[string]any
	// Fix is one sentence on what to do next. Empty when there is nothing to do.
	Fix string

	cause error
}

// Errorf makes an [Error]; a %w operand becomes its cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// WithFix returns e with the next step set.
func (e *Error) WithFix(format string, args ...any) *Error {
	e.Fix = fmt.Sprintf(format, args...)
	return e
}

// WithDetail returns e with one more entry in its details.
func (e *Error) WithDetail(key string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[key] = value
	return e
}

// Error returns the message; code and fix are for the edge that prints.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, nil when there is none.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of the [Error] in err's chain: empty for nil, [CodeInternal] when there is none.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}

// ErrorEnvelope is the failing half of every tool's answer.
type ErrorEnvelope struct {
	OK      bool           `json:"ok"`
	Code    Code           `json:"code"`
	Message string         `json:"message"`
	Fix     string         `json:"fix,omitempty"`
	Details map[string]any `json:"details,omitempty"`
}

// Envelope returns the wire form of err. An error without a code is given [CodeInternal]; err must not be nil.
// The message is that of the whole chain, so that wrapping steps are not lost.
func Envelope(err error) ErrorEnvelope {
	env := ErrorEnvelope{Code: CodeOf(err), Message: err.Error()}
	if e, ok := errors.AsType[*Error](err); ok {
		env.Fix, env.Details = e.Fix, e.Details
	}
	return env
}
