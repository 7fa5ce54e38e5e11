package contracts

import (
	"fmt"
	"strings"
)

// Violation is one broken rule of a document. Path is its JSON path, such as findings[1].reasoning; empty for the whole
// document.
type Violation struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// String returns the path and the message.
func (v Violation) String() string {
	if v.Path == "" {
		return v.Message
	}
	return v.Path + ": " + v.Message
}

// maxViolations bounds the details of an error, and maxTold its message; what is beyond is counted.
const (
	maxViolations = 1000
	maxTold       = 20
)

// violationsError makes the error that lists every violation.
func violationsError(code Code, what string, violations []Violation) *Error {
	var told []string
	for _, v := range violations[:min(len(violations), maxTold)] {
		told = append(told, clip(v.String(), 300))
	}
	if more := len(violations) - len(told); more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	err := Errorf(code, "%s: %s", what, strings.Join(told, "; ")).
		WithDetail("violations", violations[:min(len(violations), maxViolations)])
	if len(violations) > maxViolations {
		err = err.WithDetail("violationCount", len(violations))
	}
	return err
}

// clip keeps a message that quotes foreign text short.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
