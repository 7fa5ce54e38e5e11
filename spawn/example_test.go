package spawn_test

import (
	"fmt"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/spawn"
)

func ExampleFindAgent() {
	agent, err := spawn.FindAgent("command", `my-agent --model {model} --prompt {prompt_file} "judge {task}"`)
	fmt.Println(agent.Name(), err)

	_, err = spawn.FindAgent("command", "my-agent {promptfile}")
	fmt.Println(contracts.CodeOf(err))
	// Output:
	// command <nil>
	// E_INVALID_INPUT
}
