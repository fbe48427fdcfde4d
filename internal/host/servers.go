package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// Server is an MCP server that the client starts.
type Server struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// Registry is the client's file of MCP servers, as far as it concerns us.
type Registry struct {
	Path string
	// Err says why the file is not understood.
	Err error
	// User are the servers of the user's scope; Projects those that a project adds
	// or switches off.
	User     map[string]Server
	Projects map[string]ProjectServers
}

// ProjectServers is what the registry says of one project.
type ProjectServers struct {
	Servers  map[string]Server `json:"mcpServers"`
	Disabled []string          `json:"disabledMcpServers"`
}

// RegistryPath is where the client keeps the registry: beside the user's
// folder, or in it where CLAUDE_CONFIG_DIR named it. Nobody tells the daemon
// which, so that for the default folder the file that was written last counts.
func RegistryPath(userDir, home string) string {
	in := filepath.Join(userDir, ".claude.json")
	if home == "" || filepath.Clean(userDir) != filepath.Join(home, ".claude") {
		return in
	}
	beside := filepath.Join(home, ".claude.json")
	a, errIn := os.Stat(in)
	b, errBeside := os.Stat(beside)
	if errIn == nil && (errBeside != nil || a.ModTime().After(b.ModTime())) {
		return in
	}
	return beside
}

// ReadRegistry reads the registry; one that does not exist has no servers.
func ReadRegistry(path string) Registry {
	r := Registry{Path: path}
	b, err := plain(path)
	if os.IsNotExist(err) {
		return r
	}
	var all struct {
		Servers  map[string]Server         `json:"mcpServers"`
		Projects map[string]ProjectServers `json:"projects"`
	}
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	r.Err, r.User, r.Projects = err, all.Servers, all.Projects
	return r
}

// Server returns the server that the client has under a name in a project. One
// that the project itself brings waits for the user's approval, which is not
// looked for: it is none.
func (r Registry) Server(name, project string) (Server, bool) {
	p := r.Projects[project]
	if r.Err != nil || slices.Contains(p.Disabled, name) {
		return Server{}, false
	}
	if s, ok := p.Servers[name]; ok {
		return s, true
	}
	if project != "" {
		own := ReadRegistry(filepath.Join(project, ".mcp.json"))
		if _, ok := own.User[name]; ok || own.Err != nil {
			return Server{}, false
		}
	}
	s, ok := r.User[name]
	return s, ok
}

// admits reports whether the settings files let the client start the server.
func admits(files []File, name string, s Server) bool {
	is := func(r MCPRule) bool {
		return r.Name == name || len(r.Command) > 0 && slices.Equal(r.Command, append([]string{s.Command}, s.Args...))
	}
	for _, f := range files {
		if slices.ContainsFunc(f.MCPDenied, is) || f.MCPAllowed != nil && !slices.ContainsFunc(f.MCPAllowed, is) {
			return false
		}
	}
	return true
}
