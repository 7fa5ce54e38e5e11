package git

import (
	"context"
	"fmt"
	"strings"
)

// Changes are the paths, from the work tree's root, that differ from HEAD. What lies in the .cleo directory beside the
// project is ours and never counted.
type Changes struct {
	// Tracked paths are changed, added, deleted or in conflict, in the index or in the work tree.
	Tracked []string
	// Untracked paths are neither known to git nor ignored; a directory of such files ends in a slash.
	Untracked []string
}

// Changes looks at the whole work tree, also from a directory below its root.
func (r Repo) Changes(ctx context.Context) (Changes, error) {
	out, err := r.Run(ctx, append([]string{
		"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=none",
	}, ownPaths...)...)
	if err != nil {
		return Changes{}, err
	}
	var changes Changes
	for record := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if record == "" {
			continue
		}
		if err := changes.add(record); err != nil {
			return Changes{}, err
		}
	}
	return changes, nil
}

// ownPaths select everything but the .cleo directory beside the project.
var ownPaths = []string{"--", ":(top)", ":(exclude).cleo"}

// columns says how many columns stand before the path in a record of each type.
var columns = map[byte]int{'1': 8, 'u': 10, '?': 1, '!': 1}

// add notes one record of git status.
func (c *Changes) add(record string) error {
	fields := strings.SplitN(record, " ", columns[record[0]]+1)
	if columns[record[0]] == 0 || len(fields) != columns[record[0]]+1 {
		return fmt.Errorf("reading git status: unknown record %q", record)
	}
	path := fields[len(fields)-1]
	switch record[0] {
	case '?':
		c.Untracked = append(c.Untracked, path)
	case '1', 'u':
		c.Tracked = append(c.Tracked, path)
	}
	return nil
}
