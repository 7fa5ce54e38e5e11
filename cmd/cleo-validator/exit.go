package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cleocode/cleo-validator/contracts"
)

// The exit codes. The README lists them for users.
const (
	exitOK        = 0
	exitFailure   = 1
	exitUsage     = 2
	exitHITL      = 20
	exitPermanent = 21
	// exitGate is CLEO's own code for a refused gate.
	exitGate        = 108
	exitInterrupted = 130
)

// exitStatus is a command's way to end with a code after it printed its result: the answer is no, and that is no error.
type exitStatus int

// Error makes exitStatus an error.
func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exitByCode is the one table from error code to exit code; a code that is not in it exits 1.
var exitByCode = map[contracts.Code]int{
	contracts.CodeInvalidInput:       exitUsage,
	contracts.CodeConfigInvalid:      exitUsage,
	contracts.CodeUnknownName:        exitUsage,
	contracts.CodeCoverageIncomplete: exitGate,
	contracts.CodeCoverageStale:      exitGate,
	contracts.CodeInterrupted:        exitInterrupted,
}

func exitCode(err error) int {
	if err == nil {
		return exitOK
	}
	if status, ok := errors.AsType[exitStatus](err); ok {
		return int(status)
	}
	if code, ok := exitByCode[contracts.CodeOf(err)]; ok {
		return code
	}
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	return exitFailure
}
