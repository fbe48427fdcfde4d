package logs

import "strings"

// setup marks what a CI runner prints of itself: the image, permissions, the
// checkout, and the clean-up after the job. What the job's own steps print is
// none of it.
func (p *pass) setup() {
	if !strings.Contains(p.d.Src, "##[group]") && !strings.Contains(p.d.Src, "Post job cleanup.") {
		return
	}
	group, cleanup := false, false
	for i, l := range p.body {
		title, opens := strings.CutPrefix(l, "##[group]")
		switch {
		case opens:
			group = provisioning(title)
		case l == "##[endgroup]":
			if group {
				p.set(i, setup, i)
			}
			group = false
			continue
		case strings.HasPrefix(l, "Post job cleanup."):
			cleanup = true
			continue
		}
		if group && !opens || cleanup || chore(l) {
			p.set(i, setup, i)
		}
	}
}

// provisioning reports whether a group of lines is the runner's own.
func provisioning(title string) bool {
	for _, s := range [...]string{
		"Runner Image", "Operating System", "VM Image", "GITHUB_TOKEN Permissions", "Run actions/", "Getting Git version", "Initializing the repository",
		"Disabling automatic garbage", "Setting up auth", "Fetching the repository", "Determining the checkout", "Checking out the ref", "Run jdx/mise-action",
		"Run docker/setup", "Run docker/login", "Removing auth", "Run Swatinem/", "Run dtolnay/rust-toolchain", "Run astral-sh/setup",
	} {
		if strings.HasPrefix(title, s) {
			return true
		}
	}
	return false
}

// chore reports whether a line is one of the runner's small works.
func chore(l string) bool {
	for _, s := range [...]string{
		"[command]/usr/bin/git ", "[command]/opt/homebrew/bin/git ", "Download action repository", "Getting action download info", "Prepare workflow directory",
		"Prepare all required actions", "Complete job name:", "Temporarily overriding HOME=", "Adding repository directory to the temporary git", "hint: ",
		"Current runner version:", "Secret source:", "Syncing repository:", "Deleting the contents of", "Working directory is",
	} {
		if strings.HasPrefix(l, s) {
			return true
		}
	}
	return false
}
