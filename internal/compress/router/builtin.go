package router

import (
	"winnow/internal/compress"
	"winnow/internal/compress/blob"
	"winnow/internal/compress/blocks"
	"winnow/internal/compress/diffs"
	"winnow/internal/compress/hits"
	"winnow/internal/compress/jsonform"
	"winnow/internal/compress/listing"
	"winnow/internal/compress/logs"
	"winnow/internal/compress/table"
	"winnow/internal/prune/detect"
)

// Builtin is winnow's own compressors. Repeats are folded in what is read, never
// in code, configuration or a diff, which are edited and applied.
func Builtin() Set {
	fold := []compress.Encoder{blocks.Codec{}}
	again := blocks.Editor{}
	stub := []compress.Sampler{blob.Stub{}}
	screen := []compress.Sampler{logs.Screen{}}
	json := []compress.Sampler{jsonform.Sampler{}}
	return Set{
		Encoders: map[detect.Kind][]compress.Encoder{
			detect.JSON: {jsonform.Codec{}}, detect.JSONL: {jsonform.Codec{}}, detect.Table: {table.Codec{}},
			detect.Log: fold, detect.Trace: fold, detect.Prose: fold, detect.HTML: fold,
			detect.Search: fold, detect.Listing: fold, detect.Unknown: fold,
		},
		Samplers: map[detect.Kind][]compress.Sampler{
			detect.JSON: json, detect.JSONL: json, detect.Binary: stub, detect.Prose: stub, detect.HTML: stub, detect.Unknown: stub,
		},
		Editors: map[detect.Kind][]compress.Editor{
			detect.Log: {logs.Editor{}, again}, detect.Trace: {logs.Editor{}, again}, detect.Prose: {again}, detect.HTML: {again}, detect.Unknown: {again},
			detect.Table: {table.Editor{}}, detect.Diff: {diffs.Editor{}}, detect.Search: {hits.Editor{}, again}, detect.Listing: {listing.Editor{}},
		},
		Last: map[detect.Kind][]compress.Sampler{detect.Log: screen, detect.Trace: screen, detect.Unknown: screen},
		// Of what the tail of a search holds, a third is needed after all (docs/compressors.md).
		Late: map[string]bool{hits.Editor{}.Name(): true},
		// What the encoders write begins so; it is not written again.
		Forms: []string{"#json/", "#tables/"},
	}
}
