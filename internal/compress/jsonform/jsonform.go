// Package jsonform makes JSON and JSON lines shorter. [Encode] states the keys
// and whatever else repeats once, and [Decode] gives the original back byte for
// byte: numbers, escapes, key order, doubled keys and white space are never read
// as values, only moved. Where some items must go, a sample keeps the ends, the
// failures, what stands out and what the task names, and says what is missing.
//
// It refuses text that is not JSON, is nested deeper than 128, or is laid out
// unlike any printer does it; it never repairs.
package jsonform
