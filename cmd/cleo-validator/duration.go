package main

import (
	"fmt"
	"regexp"
	"time"
)

// duration is a time.Duration written as 300s, 30m, or a bare number of seconds, in files, variables and flags.
type duration time.Duration

var bareSeconds = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// UnmarshalText reads any of the forms.
func (d *duration) UnmarshalText(text []byte) error {
	word := string(text)
	if bareSeconds.MatchString(word) {
		word += "s"
	}
	parsed, err := time.ParseDuration(word)
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 300s or 30m", text)
	}
	*d = duration(parsed)
	return nil
}

// Set, String and Type make duration a flag.
func (d *duration) Set(word string) error { return d.UnmarshalText([]byte(word)) }
func (d *duration) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}
func (d *duration) Type() string { return "duration" }
