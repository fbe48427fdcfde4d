package compress_test

import (
	"os"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/compress/blocks"
	"winnow/internal/compress/diffs"
	"winnow/internal/compress/hits"
	"winnow/internal/compress/listing"
	"winnow/internal/compress/logs"
	"winnow/internal/prune/detect"
)

var editors = map[detect.Kind]compress.Editor{
	detect.Log: logs.Editor{}, detect.Trace: logs.Editor{}, detect.Diff: diffs.Editor{}, detect.Search: hits.Editor{}, detect.Listing: listing.Editor{},
}

// route lists the editors that may look at a block, in the order tried.
func route(in *compress.Input) []compress.Editor {
	h := detect.Hint{Tool: in.Tool, Command: in.Command}
	if strings.EqualFold(in.Tool, "read") || strings.EqualFold(in.Tool, "view") {
		h = detect.Hint{Tool: in.Tool, File: in.Command}
	}
	if in.Tool == "Grep" || in.Tool == "grep" {
		h.Command = ""
	}
	in.Kind = detect.Of(in.Text, h).Kind
	if e, ok := editors[in.Kind]; ok {
		return []compress.Editor{e, blocks.Editor{}}
	}
	if os.Getenv("WINNOW_ALL") != "" && in.Kind != detect.Code && !strings.EqualFold(in.Tool, "read") {
		in.Kind = detect.Unknown
		return []compress.Editor{logs.Editor{}, blocks.Editor{}}
	}
	if in.Kind != detect.JSON {
		return []compress.Editor{blocks.Editor{}}
	}
	return nil
}
