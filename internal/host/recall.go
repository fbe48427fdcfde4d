package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Session is what a hook payload says of the loop whose result it brings.
type Session struct {
	ID string
	// Transcript lies in the user's configuration folder, by which that is found.
	Transcript string
	Cwd        string
	Mode       string // permission_mode
	AgentType  string
}

// Way is how an agent can ask for hidden lines.
type Way int

// The ways. With [None] nothing may be hidden.
const (
	None Way = iota
	ByTool
	ByCommand
)

// Recaller finds out which way a session has. Files are read again when they
// have changed. The zero Recaller looks at no managed settings and no tool.
type Recaller struct {
	Managed string // the folder of managed settings
	Home    string
	// Server and Tool are the names of the MCP server and its tool.
	Server, Tool string
	// Command reports whether the agent's shell would find winnow; nil: it would not.
	Command func() bool

	mu       sync.Mutex // guards the fields below
	files    map[string]cached[File]
	servers  map[string]cached[Registry]
	projects map[string]string // by session
}

// agents are the kinds of subagent that surely have every tool; any other may
// have a list of its own.
var agents = []string{"", "general-purpose", "Explore"}

// Way returns the session's way, and why it has none.
func (r *Recaller) Way(s Session) (Way, string) {
	if !slices.Contains(agents, s.AgentType) {
		return None, "an agent of type " + s.AgentType + " may have a tool list of its own"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Places{Managed: r.Managed, User: r.userDir(s.Transcript), Project: r.project(s)}
	fs := files(p, r.file)
	for _, f := range fs {
		if f.Err != nil {
			return None, fmt.Sprintf("%s is not understood: %v", f.Path, f.Err)
		}
	}
	rules := rulesOf(fs)
	why := r.noTool(p, fs)
	if why == "" {
		if rules.runs(s.Mode, allowsTool(r.Server, r.Tool), mayMeanTool(r.Server, r.Tool)) {
			return ByTool, ""
		}
		why = "no rule allows the tool mcp__" + r.Server + "__" + r.Tool + ", or one forbids it or asks"
	}
	if r.Command != nil && r.Command() && rules.runs(s.Mode, allowsRecall, mayMeanRecall) {
		return ByCommand, ""
	}
	return None, why
}

// noTool says why the client does not have the tool, "" when it has.
func (r *Recaller) noTool(p Places, fs []File) string {
	reg := r.registry(RegistryPath(p.User, r.Home))
	s, ok := reg.Server(r.Server, p.Project)
	switch {
	case reg.Err != nil:
		return fmt.Sprintf("%s is not understood: %v", reg.Path, reg.Err)
	case !ok:
		return "the MCP server " + r.Server + " is not registered in " + reg.Path
	case !admits(fs, r.Server, s):
		return "allowedMcpServers or deniedMcpServers keeps the MCP server " + r.Server + " out"
	}
	if _, err := exec.LookPath(s.Command); err != nil {
		return "the MCP server " + r.Server + " is registered with a command that is not there: " + s.Command
	}
	return ""
}

// userDir finds the configuration folder: FOLDER/projects/SLUG/ID.jsonl.
func (r *Recaller) userDir(transcript string) string {
	if projects := filepath.Dir(filepath.Dir(transcript)); filepath.IsAbs(transcript) && filepath.Base(projects) == "projects" {
		return filepath.Dir(projects)
	}
	return filepath.Join(r.Home, ".claude")
}

// maxSessions bounds the remembered projects.
const maxSessions = 512

// project finds the folder whose settings the session goes by. The agent may
// have left it: it is the parent that the transcript's folder is named after,
// else the one that was known before, else where the agent is now.
func (r *Recaller) project(s Session) string {
	slug := filepath.Base(filepath.Dir(s.Transcript))
	for dir := s.Cwd; filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if notAlnum.ReplaceAllString(dir, "-") == slug {
			if r.projects == nil || len(r.projects) >= maxSessions {
				r.projects = map[string]string{}
			}
			r.projects[s.ID] = dir
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if p, ok := r.projects[s.ID]; ok {
		return p
	}
	return s.Cwd
}

var notAlnum = regexp.MustCompile(`[^a-zA-Z0-9]`)

// cached is what a file said when it was last read.
type cached[T any] struct {
	mod   time.Time
	size  int64
	there bool
	value T
}

// same reports whether the file is as it was. A file of the last moments is read
// again: its time may not tell two writings apart.
func (c cached[T]) same(fi os.FileInfo, err error) bool {
	if err != nil {
		return !c.there
	}
	return c.there && c.mod.Equal(fi.ModTime()) && c.size == fi.Size() && time.Since(c.mod) > time.Second
}

func (r *Recaller) file(path string) (File, bool) {
	c := lookup(&r.files, path, func() (File, bool) { return Read(path) })
	return c.value, c.there
}

func (r *Recaller) registry(path string) Registry {
	return lookup(&r.servers, path, func() (Registry, bool) { return ReadRegistry(path), true }).value
}

func lookup[T any](m *map[string]cached[T], path string, read func() (T, bool)) cached[T] {
	fi, err := os.Stat(path)
	if c, ok := (*m)[path]; ok && c.same(fi, err) {
		return c
	}
	if *m == nil || len(*m) >= maxSessions {
		*m = map[string]cached[T]{}
	}
	c := cached[T]{}
	c.value, c.there = read()
	c.there = c.there && err == nil
	if err == nil {
		c.mod, c.size = fi.ModTime(), fi.Size()
	}
	(*m)[path] = c
	return c
}
