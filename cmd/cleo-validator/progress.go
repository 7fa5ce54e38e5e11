package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/cleocode/cleo-validator/runtime"
)

// progress tells what the runs of a command do, as they do it, on standard error.
type progress struct {
	out   io.Writer
	live  bool
	now   func() time.Time
	tasks []string

	mu    sync.Mutex
	state map[string]runtime.Event
	drawn int
	quit  chan struct{}
	done  sync.WaitGroup
}

// newProgress returns the progress of the given tasks: a line per task that is redrawn on a terminal, a line per event
// elsewhere. The caller stops it.
func newProgress(h host, tasks []string) *progress {
	p := &progress{
		out: h.err, live: h.onTerminal(h.err), now: h.now, tasks: tasks,
		state: map[string]runtime.Event{}, quit: make(chan struct{}),
	}
	if p.live {
		p.done.Go(p.tick)
	}
	return p
}

// Stop draws the last state and leaves the cursor below it.
func (p *progress) Stop() {
	close(p.quit)
	p.done.Wait()
	if p.live {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.draw()
	}
}

// Observe takes an event of any run; it is safe for concurrent use.
func (p *progress) Observe(e runtime.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state[e.TaskID] = e
	if p.live {
		p.draw()
		return
	}
	fmt.Fprintf(p.out, "%s: %s\n", e.TaskID, oneLine(e.String()))
}

// tick redraws once a second, so that elapsed times move.
func (p *progress) tick() {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-ticker.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

// draw writes the block of task lines over the one drawn before. Lines are cut to 80 columns, since a line that wraps
// could not be drawn over.
func (p *progress) draw() {
	var block strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&block, "\x1b[%dA", p.drawn)
	}
	for _, task := range p.tasks {
		line := task + ": waiting"
		if e, ok := p.state[task]; ok {
			line = fmt.Sprintf("%s: %s", task, oneLine(e.String()))
			if !e.Final() {
				line += fmt.Sprintf(" (%s)", p.now().Sub(e.Since).Round(time.Second))
			}
		}
		fmt.Fprintf(&block, "\r\x1b[2K%s\n", cut(line, 79))
	}
	p.drawn = len(p.tasks)
	io.WriteString(p.out, block.String())
}

// cut returns at most n characters of s.
func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}
