package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
)

// The events of a script beside the kinds of faults.
const (
	eventAttest       = "attest"
	eventReject       = "reject"
	eventRespawnFails = "respawn-fails"
)

// script is one line of a simulation.
type script struct {
	// RetryMax is the retry budget. [DefaultRetryMax] when the line has none.
	RetryMax int      `json:"retryMax"`
	Events   []string `json:"events"`
}

// parseScript reads a line strictly: no unknown, repeated or wrongly-cased field, no unknown event, even after the end.
func parseScript(line []byte) (script, error) {
	s := script{RetryMax: DefaultRetryMax}
	if err := json.Unmarshal(line, &s, json.RejectUnknownMembers(true)); err != nil {
		return s, explain(err)
	}
	if s.RetryMax < 1 {
		return s, fmt.Errorf("retryMax must be at least 1, not %d", s.RetryMax)
	}
	if s.Events == nil {
		return s, errors.New("events is missing")
	}
	for i, event := range s.Events {
		if err := checkEvent(s.Events, i); err != nil {
			return s, fmt.Errorf("events[%d]: %q %w", i, event, err)
		}
	}
	return s, nil
}

func checkEvent(events []string, i int) error {
	switch event := events[i]; {
	case event == eventAttest, event == eventReject, rowIndex(contracts.FaultKind(event)) >= 0:
		return nil
	case event != eventRespawnFails:
		return fmt.Errorf("is no event; use one of %s", strings.Join(eventNames(), ", "))
	case i == 0 || events[i-1] != eventReject:
		return errors.New("may stand right after a reject only")
	}
	return nil
}

// eventNames lists every event of a script.
func eventNames() []string {
	names := []string{eventAttest, eventReject, eventRespawnFails}
	for _, kind := range contracts.FaultKinds() {
		names = append(names, string(kind))
	}
	return names
}

// explain says what is wrong with a line in the line's own words; the decoder's speak of Go types.
func explain(err error) error {
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return err
	}
	field := strings.TrimPrefix(string(semantic.JSONPointer), "/")
	got := semantic.JSONKind.String()
	if len(semantic.JSONValue) > 0 {
		got = string(semantic.JSONValue)
	}
	switch {
	case errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("unknown field %q; the fields are retryMax and events", field)
	case field == "":
		return fmt.Errorf("it is no object but a %s", got)
	case field == "retryMax":
		return fmt.Errorf("retryMax must be a whole number of at least 1, not %s", got)
	}
	return fmt.Errorf("%s must be a list of event names, not hold a %s", field, got)
}
