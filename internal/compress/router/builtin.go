package router

import (
	"winnow/internal/compress"
	"winnow/internal/compress/blocks"
	"winnow/internal/compress/diffs"
	"winnow/internal/compress/hits"
	"winnow/internal/compress/jsonform"
	"winnow/internal/compress/listing"
	"winnow/internal/compress/logs"
	"winnow/internal/prune/detect"
)

// Builtin is winnow's own compressors. Repeats are folded in what is read, never
// in code, configuration or a diff, which are edited and applied.
func Builtin() Set {
	fold := []compress.Encoder{blocks.Codec{}}
	return Set{
		// Of what the tail of a search holds, a third is needed after all (docs/compressors.md).
		Late: map[string]bool{hits.Editor{}.Name(): true},
		Encoders: map[detect.Kind][]compress.Encoder{
			detect.JSON: {jsonform.Codec{}}, detect.JSONL: {jsonform.Codec{}},
			detect.Log: fold, detect.Trace: fold, detect.Prose: fold, detect.HTML: fold,
			detect.Search: fold, detect.Listing: fold, detect.Unknown: fold,
		},
		Samplers: map[detect.Kind][]compress.Sampler{
			detect.JSON: {jsonform.Sampler{}}, detect.JSONL: {jsonform.Sampler{}},
		},
		Editors: map[detect.Kind][]compress.Editor{
			detect.Log: {logs.Editor{}}, detect.Trace: {logs.Editor{}}, detect.Diff: {diffs.Editor{}},
			detect.Search: {hits.Editor{}}, detect.Listing: {listing.Editor{}},
		},
	}
}
