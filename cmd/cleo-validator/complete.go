package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/tools"
)

func newComplete(h host, flags *globalFlags) *cobra.Command {
	var (
		in   tools.CompleteInput
		role string
	)
	cmd := &cobra.Command{
		Use:   "complete TASK",
		Short: "Mark a task done, if the gate is open",
		Long: `Run the coverage gate and mark the task done, in one transaction. A refused gate
exits 108. The owner may open the gate with CLEO_OWNER_OVERRIDE=1 and
CLEO_OWNER_OVERRIDE_REASON; a validator or a worker may not. Waivers and overrides
are in .cleo/audit before the status changes.`,
		Example: `  cleo-validator complete T1
  cleo-validator complete T1 --waive-ac AC2,AC3 --waive-reason "moved to T9"
  CLEO_OWNER_OVERRIDE=1 CLEO_OWNER_OVERRIDE_REASON="hot fix" cleo-validator complete T1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.TaskID = args[0]
			if err := readCompletion(h, role, &in); err != nil {
				return err
			}
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				out, err := p.tools(nil).Complete(cmd.Context(), in)
				if err != nil {
					return err
				}
				return h.result(flags.json, out, func(w io.Writer) { describeCompletion(w, out) })
			})
		},
	}
	cmd.Flags().StringSliceVar(&in.Waive, "waive-ac", nil, "criteria to waive: UUIDs or aliases, comma-separated")
	cmd.Flags().StringVar(&in.WaiveReason, "waive-reason", "", "why they are waived; required with --waive-ac")
	cmd.Flags().StringVar(&in.AllowStale, "allow-stale", "", "why attestations that went stale may count")
	cmd.Flags().StringVar(&role, "role", "", "the caller's role (default: CLEO_AGENT_ROLE)")
	cmd.Flags().StringVar(&in.Actor, "agent-id", "", "the caller's name in the audit log (default: USER)")
	return cmd
}

// readCompletion fills in what comes from the environment.
func readCompletion(h host, role string, in *tools.CompleteInput) error {
	if role == "" {
		role = h.getenv("CLEO_AGENT_ROLE")
	}
	if role != "" {
		parsed, err := contracts.ParseAgentRole(role)
		if err != nil {
			return err
		}
		in.Role = parsed
	}
	if in.Actor == "" {
		in.Actor = actor(h)
	}
	override := strings.ToLower(h.getenv("CLEO_OWNER_OVERRIDE"))
	in.Override = override == "1" || override == "true"
	in.OverrideReason = h.getenv("CLEO_OWNER_OVERRIDE_REASON")
	return nil
}

// actor names the person or agent at the keyboard for the audit log.
func actor(h host) string {
	for _, name := range []string{"CLEO_AGENT_ID", "USER", "LOGNAME"} {
		if value := h.getenv(name); value != "" {
			return value
		}
	}
	return "unknown"
}

func describeCompletion(w io.Writer, out tools.CompleteOutput) {
	if out.AlreadyDone {
		fmt.Fprintf(w, "%s: was done already, nothing changed\n", out.TaskID)
		return
	}
	fmt.Fprintf(w, "%s: done (%s)\n", out.TaskID, out.Via)
	for _, ac := range out.Waived {
		fmt.Fprintf(w, "  let through: %s %s\n", ac.Alias, oneLine(ac.Text))
	}
}
