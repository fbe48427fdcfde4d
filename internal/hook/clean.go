package hook

import "unicode/utf8"

// Clean reports whether a JSON body can be decoded and given back without
// changing a byte: valid UTF-8 and no half of a surrogate pair. The mod's door
// holds its bodies to the same rule as [Decode].
func Clean(body []byte) bool { return utf8.Valid(body) && !loneSurrogate(body) }
