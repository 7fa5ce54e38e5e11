package store

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

const goldenSchema = "testdata/schema.sql"

// schemaOf returns the schema as statements in the order of their names.
func schemaOf(t *testing.T, p *pool) string {
	t.Helper()
	rows, err := p.Query(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out strings.Builder
	for rows.Next() {
		var statement string
		if err := rows.Scan(&statement); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s;\n\n", statement)
	}
	return out.String()
}

func TestSchemaIsGolden(t *testing.T) {
	got := schemaOf(t, openTemp(t).reader)
	if *update {
		if err := os.WriteFile(goldenSchema, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(must(os.ReadFile(goldenSchema))), got); diff != "" {
		t.Errorf("the schema is not that of %s; a change needs a new migration, then -update:\n%s", goldenSchema, diff)
	}
}

// old makes a database as a program of an earlier version left it.
func old(t *testing.T, version int64) string {
	t.Helper()
	path := tempPath(t)
	if err := os.MkdirAll(path+"-locks", 0o700); err != nil {
		t.Fatal(err)
	}
	s := &Store{path: path, opts: must(Options{}.withDefaults())}
	if err := s.create(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := must(openPool(writerDSN(path, s.opts), 1))
	defer p.Close()
	if version > 0 {
		if err := migrate(t.Context(), p, version); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestEveryEarlierVersionIsRaised(t *testing.T) {
	want := string(must(os.ReadFile(goldenSchema)))
	for version := range latestVersion() {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := old(t, version)
			if h := must(readHeader(t.Context(), headerDSN(path))); h.version != version || h.application != applicationID {
				t.Fatalf("a database of version %d says %+v", version, h)
			}
			if version > 0 {
				makeDatabase(t, path, `INSERT INTO tasks (id, title, created_at) VALUES ('T1', 'old', '2026-01-01T00:00:00.000Z')`)
			}
			s := openAt(t, path)
			if diff := cmp.Diff(want, schemaOf(t, s.reader)); diff != "" {
				t.Error(diff)
			}
			if got := count(t, s, "SELECT user_version FROM pragma_user_version"); int64(got) != latestVersion() {
				t.Errorf("version %d after the raise", got)
			}
			if tasks, err := s.Tasks(t.Context()); err != nil || len(tasks) != min(int(version), 1) {
				t.Errorf("tasks after the raise: %v, %v", tasks, err)
			}
		})
	}
}

// Whatever a process that was killed while it made the file left behind, the next one goes on.
func TestHalfMadeDatabaseIsFinished(t *testing.T) {
	tests := map[string]func(path string){
		"Empty":      func(path string) { write(t, path, nil) },
		"MarkedOnly": func(path string) { write(t, path, must(os.ReadFile(old(t, 0)))) },
		// Rolling this journal back makes the file empty again, its mark included.
		"HotJournal": func(path string) {
			write(t, path, must(os.ReadFile(old(t, 0))))
			journal := append([]byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}, make([]byte, 504)...)
			journal[22], journal[26] = 2, 16 // sectors of 512 bytes, pages of 4096
			write(t, path+"-journal", journal)
		},
	}
	for name, arrange := range tests {
		t.Run(name, func(t *testing.T) {
			path := tempPath(t)
			if err := os.MkdirAll(path+"-locks", 0o700); err != nil {
				t.Fatal(err)
			}
			arrange(path)
			add(t, openAt(t, path), "T1", 1)
			if h := must(readHeader(t.Context(), headerDSN(path))); h.application != applicationID {
				t.Errorf("the header is %+v", h)
			}
			add(t, openAt(t, path), "T2", 1)
		})
	}
}

func TestOwnTablesAreStrictWithNamedChecks(t *testing.T) {
	s := openTemp(t)
	loose := count(t, s, `
		SELECT count(*)
		FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name <> ?`, historyTable)
	if loose > 0 {
		t.Errorf("%d tables are not strict", loose)
	}
	text := regexp.MustCompile(`CONSTRAINT \w+ CHECK`).ReplaceAllString(schemaOf(t, s.reader), "")
	if strings.Contains(text, "CHECK") {
		t.Error("a CHECK has no name")
	}
}
