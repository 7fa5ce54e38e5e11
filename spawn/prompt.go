package spawn

import (
	_ "embed" // the prompts
	"fmt"
	"strings"
	"text/template"
	"time"
	"unicode"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

//go:embed prompt.md
var validatorPrompt string

//go:embed worker_prompt.md
var workerPrompt string

var (
	validatorPromptTemplate = parsePrompt("prompt.md", validatorPrompt)
	workerPromptTemplate    = parsePrompt("worker_prompt.md", workerPrompt)
)

func parsePrompt(name, text string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{"quote": quoteBlock}).Parse(text))
}

// promptData is what the Validator's prompt tells. It has no field for anything of the Worker's.
type promptData struct {
	TaskID, ValidatorID string
	Commit, Dir, Scope  string
	Timeout             time.Duration
	ACs                 []store.AC
	Previous            []promptFinding
	// The forms of the three answers, with the ids filled in.
	Attestation, Rejection, Fault string
}

// promptFinding is one finding of an earlier Validator on a criterion that it did not pass.
type promptFinding struct {
	Alias     string
	Status    contracts.FindingStatus
	Reasoning string
}

// writePrompt returns the Validator's prompt.
func writePrompt(task store.Task, data promptData, previous contracts.Verdict) string {
	data.ACs = task.ACs
	aliases := map[string]string{}
	for _, ac := range task.ACs {
		aliases[ac.ID] = ac.Alias()
	}
	for _, f := range previous.Findings() {
		if alias := aliases[f.ACID]; alias != "" && f.Status != contracts.StatusPass {
			data.Previous = append(data.Previous, promptFinding{alias, f.Status, f.Reasoning})
		}
	}
	data.Attestation, data.Rejection, data.Fault = attestationForm(task, data), rejectionForm(task, data), faultForm
	return render(validatorPromptTemplate, data)
}

func render(t *template.Template, data any) string {
	var out strings.Builder
	if err := t.Execute(&out, data); err != nil {
		panic(err) // the templates are ours, and so are the types they are given
	}
	return out.String()
}

// The forms hold what stands in angle brackets where the Validator puts its own words: none of them can be taken for an
// answer when a prompt is echoed.
const faultForm = `{"fault": {"kind": "<tool-not-resolved, validator-unreachable or timeout>", "message": "<what is missing>"}}`

func attestationForm(task store.Task, data promptData) string {
	return fmt.Sprintf(`{"verdict": "attest", "taskId": %q, "validatorId": %q, "schemaVersion": "1",
 "attestedAt": "<now>", "summary": "<optional>", "findings": [
%s
]}`, data.TaskID, data.ValidatorID, findingForms(task, "pass"))
}

func rejectionForm(task store.Task, data promptData) string {
	return fmt.Sprintf(`{"verdict": "reject", "taskId": %q, "validatorId": %q, "schemaVersion": "1",
 "rejectedAt": "<now>", "summary": "<why, in a sentence>", "remediationHints": ["<optional>"], "findings": [
%s
]}`, data.TaskID, data.ValidatorID, findingForms(task, "<status>"))
}

func findingForms(task store.Task, status string) string {
	forms := make([]string, len(task.ACs))
	for i, ac := range task.ACs {
		forms[i] = fmt.Sprintf(`  {"acId": %q, "status": %q, "reasoning": "<why>", "checkedAt": "<now>"}`, ac.ID, status)
	}
	return strings.Join(forms, ",\n")
}

// quoteBlock sets a foreign text off: every line of it begins with "> ", whatever it breaks its lines with, and characters
// that could hide or rearrange others are shown as what they are.
func quoteBlock(text string) string {
	var out strings.Builder
	out.WriteString("> ")
	for _, r := range strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n") {
		switch {
		case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r):
			out.WriteString("\n> ")
		case r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)):
			fmt.Fprintf(&out, "<U+%04X>", r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
