package runtime

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

// BenchmarkStep walks one run of four steps over and over; the figure is per step.
func BenchmarkStep(b *testing.B) {
	rounds := []Observation{
		{What: Rejected}, {What: WorkerRespawned}, {What: Faulted, Kind: contracts.FaultOOM}, {What: Attested},
	}
	fresh, _ := NewState(3)
	b.ReportAllocs()
	s, i := fresh, 0
	for b.Loop() {
		next, err := Step(s, rounds[i])
		if err != nil {
			b.Fatal(err)
		}
		s, i = next.State, i+1
		if s.Phase == PhaseEnded {
			s, i = fresh, 0
		}
	}
}

// BenchmarkRunMaxN is the driver alone: a Validator that attests at once, no journal, no audit log.
func BenchmarkRunMaxN(b *testing.B) {
	attempt := contracts.Attempt{Verdict: attestation(contracts.SpawnRequest{TaskID: task, ValidatorID: "validator-1"})}
	crew := Crew{Spawner: byTask(func(context.Context, contracts.SpawnRequest) (contracts.Attempt, error) {
		return attempt, nil
	})}
	for name, opts := range map[string]Options{"defaults": {}, "no loop budget": {LoopBudget: -1}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if result, err := RunMaxN(b.Context(), task, crew, opts); err != nil || result.Outcome != OutcomeAttest {
					b.Fatal(result, err)
				}
			}
		})
	}
}

// BenchmarkSimulate is per line of three events.
func BenchmarkSimulate(b *testing.B) {
	line := []byte(`{"retryMax":3,"events":["reject","timeout","validator-OOM"]}` + "\n")
	input := bytes.Repeat(line, b.N)
	b.ReportAllocs()
	b.ResetTimer()
	if err := Simulate(b.Context(), bytes.NewReader(input), io.Discard); err != nil {
		b.Fatal(err)
	}
}
