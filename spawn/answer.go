package spawn

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cleocode/cleo-validator/contracts"
)

// maxAnswer is how many bytes of the end of standard output an answer is looked for in.
const maxAnswer = contracts.MaxDocument + 64<<10

// faultReport is the answer of a Validator that could not judge.
type faultReport struct {
	Fault contracts.Fault `json:"fault"`
}

// reportable lists the faults that a Validator can know of itself.
var reportable = []contracts.FaultKind{contracts.FaultToolNotResolved, contracts.FaultUnreachable, contracts.FaultTimeout}

// answer is what a Validator printed: at most one of a verdict and a fault. Broken says why the last thing that meant to be
// an answer is none.
type answer struct {
	verdict contracts.Verdict
	fault   *contracts.Fault
	broken  error
}

// readAnswer looks for the last JSON object in output, at any depth, that is a verdict or a fault report.
func readAnswer(output []byte) answer {
	got, _ := searchAnswer(output)
	return got
}

// searchAnswer goes backwards from the end, so that a usual answer is found at once. On output that is made to be slow it
// gives up after work in proportion to the length; looked is that work, in bytes.
func searchAnswer(output []byte) (got answer, looked int) {
	limit := 8*len(output) + 1<<16
	for at := len(output); looked < limit; {
		at = bytes.LastIndexByte(output[:at], '{')
		if at < 0 {
			break
		}
		object, n := objectAt(output[at:])
		looked += n
		if object != nil && got.read(object) {
			break
		}
	}
	return got, looked
}

// objectAt returns the JSON object that data begins with, nil when it begins with none, and how many bytes it looked at.
func objectAt(data []byte) (object []byte, looked int) {
	inner := bytes.TrimLeft(data[1:min(len(data), 64)], " \t\r\n")
	if len(inner) > 0 && inner[0] != '"' {
		return nil, 1 // most braces in prose and code
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	value, err := decoder.ReadValue()
	if err == nil {
		return value, len(value)
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return nil, int(syntax.ByteOffset) + 1
	}
	return nil, len(data)
}

// read takes the object if it is an answer. An object that only means to be one is noted when it is the last such.
func (a *answer) read(object []byte) bool {
	if isBloated(object) {
		return false
	}
	if bytes.Contains(object, []byte(`"verdict"`)) {
		verdict, err := contracts.ParseVerdict(object)
		if err == nil {
			a.verdict = verdict
			return true
		}
		a.note(err)
	}
	if bytes.Contains(object, []byte(`"fault"`)) {
		report, err := contracts.DecodeStrict[faultReport](object)
		if err == nil && slices.Contains(reportable, report.Fault.Kind) {
			a.fault = &report.Fault
			return true
		}
		if err == nil {
			a.note(fmt.Errorf("a Validator cannot report a fault of the kind %q", report.Fault.Kind))
		}
	}
	return false
}

// isBloated reports whether a large object has more values than one with findings in it can have, so that reading it
// would take many times its size in memory.
func isBloated(object []byte) bool {
	return len(object) > 1<<20 && bytes.Count(object, []byte{','}) > len(object)/16
}

func (a *answer) note(err error) {
	if a.broken == nil {
		a.broken = err
	}
}

// claims lists what a Validator says that believes to have shipped a verdict. They are looked for without regard to case.
var claims = []string{
	"validator.attest", "validator.reject", "verdict shipped", "shipped the verdict", "shipped my verdict",
	"attestation shipped", "rejection shipped", `"bindingswritten"`, `"failingfindingcount"`,
}

// claimed reports whether the output claims that a verdict was shipped.
func claimed(output []byte) bool {
	output = bytes.ToLower(output)
	return slices.ContainsFunc(claims, func(claim string) bool { return bytes.Contains(output, []byte(claim)) })
}
