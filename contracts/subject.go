package contracts

// Subject is what a verdict is about: one commit of the project. Both ids are full and in lower case; both are empty in
// a project without git.
type Subject struct {
	Commit string `json:"commit,omitempty"`
	Tree   string `json:"tree,omitempty"`
}
