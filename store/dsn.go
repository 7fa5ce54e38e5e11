package store

import (
	"fmt"
	"net/url"
	"strings"
)

// Every setting of a connection stands in its DSN, because a pool applies the DSN to each connection it opens. A DSN must
// begin with file:, or the driver drops such options as mode.

// writerDSN is for the one connection that writes. Transactions take the write lock at once: one that began by reading
// could not wait for it later.
func writerDSN(path string, o Options) string {
	return dsn(path, url.Values{
		"mode":    {"rw"},
		"_txlock": {"immediate"},
		"_pragma": {
			busyTimeout(o),
			"foreign_keys(on)",
			"journal_mode(wal)",
			"synchronous(" + string(o.Durability) + ")",
		},
	})
}

// readerDSN is for connections that cannot write.
func readerDSN(path string, o Options) string {
	return dsn(path, url.Values{
		"mode":    {"rw"},
		"_pragma": {busyTimeout(o), "foreign_keys(on)", "query_only(on)"},
	})
}

// makerDSN is for giving a new file its mark, before it is switched to WAL: the mark is then in the file itself.
func makerDSN(path string, o Options) string {
	return dsn(path, url.Values{"mode": {"rw"}, "_pragma": {busyTimeout(o), "synchronous(full)"}})
}

// headerDSN is for looking at the first page of a file that may be anybody's. It takes no lock and makes no file beside
// it. writable_schema writes nothing here; without it, SQLite calls a file damaged while another process is making it
// longer, which those who take locks never see.
func headerDSN(path string) string {
	return dsn(path, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"writable_schema(on)"}})
}

// logDSN is for looking at a file of ours together with the write-ahead log beside it, leaving both as they are.
func logDSN(path string, o Options) string {
	return dsn(path, url.Values{"mode": {"ro"}, "_pragma": {busyTimeout(o)}})
}

func busyTimeout(o Options) string {
	return fmt.Sprintf("busy_timeout(%d)", o.BusyTimeout.Milliseconds())
}

// dsn joins a path and its settings into an SQLite URI; what has a meaning in one is escaped in the path.
func dsn(path string, settings url.Values) string {
	var escaped strings.Builder
	escaped.WriteString("file:")
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`%?#"<>\^{|}`+"`", c) >= 0 {
			fmt.Fprintf(&escaped, "%%%02X", c)
		} else {
			escaped.WriteByte(c)
		}
	}
	return escaped.String() + "?" + settings.Encode()
}
