// Package winnow carries the plugin's own files, so that the binary alone can
// install the plugin, and the two are always of one version.
package winnow

import "embed"

// Plugin holds the files of the plugin under their paths in its folder.
//
//go:embed .claude-plugin/plugin.json .claude-plugin/marketplace.json hooks/hooks.json hooks/winnow.ts bin/winnow LICENSE
var Plugin embed.FS
