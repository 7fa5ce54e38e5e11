// Package migrations holds the numbered SQL files that make and raise our own database, embedded in the binary.
//
// A file's number is the version of the schema after it; each ends by writing that number to user_version, so that the
// version can be told from the file's header alone.
package migrations

import "embed"

// FS holds the files.
//
//go:embed *.sql
var FS embed.FS
