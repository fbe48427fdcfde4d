package doctor

// hookDoor lists the checks of what only settings-file hooks need: what the
// client allows them, where they go, and who has the port.
func (f *facts) hookDoor() []check {
	return []check{{"port", f.port}, {"proxy", f.proxy}, {"hooks", f.hooks}, {"hook urls", f.hookURLs}}
}
