package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

func ExampleRunCheck() {
	site := evidence.Site{Dir: os.TempDir(), Env: os.Environ()}
	for _, command := range []string{"echo all tests passed", "false", "no-such-program-here"} {
		result, err := evidence.RunCheck(context.Background(), site, contracts.Check{Command: command})
		if fault, ok := errors.AsType[*contracts.Fault](err); ok {
			fmt.Println("cannot tell:", fault.Kind)
			continue
		}
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(result.OK, result.EvidenceRef())
	}
	// Output:
	// true note:ran echo all tests passed: exit code 0
	// false note:ran false: exit code 1, expected exit code 0
	// cannot tell: tool-not-resolved
}

func ExampleParseAtoms() {
	atoms, err := evidence.ParseAtoms("tool:test; files:go.mod,a;b.txt")
	fmt.Println(len(atoms), evidence.FormatAtoms(atoms), err)
	// Output: 2 tool:test;files:go.mod,a;b.txt <nil>
}

func ExampleSplitWords() {
	words, err := evidence.SplitWords(`sh -c 'go vet ./... && echo "$HOME"'`)
	fmt.Printf("%q %v\n", words, err)
	_, err = evidence.SplitWords("go vet ./... && echo done")
	fmt.Println(contracts.Envelope(err).Fix)
	// Output:
	// ["sh" "-c" "go vet ./... && echo \"$HOME\""] <nil>
	// quote the character, or hand the whole line to a shell: sh -c '…'
}
