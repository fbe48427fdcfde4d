// Package jsonform makes JSON and JSON lines shorter. [Encode] states the keys
// and whatever else repeats once, and [Decode] gives the original back byte for
// byte: numbers, escapes, key order, doubled keys and white space are never read
// as values, only moved. Where some items must go, a sample keeps the ends, the
// failures, what stands out and what the task names, and says what is missing.
//
// The form is JSON, minified, with quotes only where they are needed, and
//
//	[3]{id=1..3,name,user{login,admin=false},url="https://x/"+*}:
//	ada,root,7
//
// for an array of objects: each column's key once, then a row for each object.
// "k=v" holds in every row, "k=a..b" counts, "k=@other" is another column's
// cell, "k="text"+@other" has it inside a text, "k="text"+*" the row's own cell.
// An empty cell is a missing key; "k?{a,b}" has "(1,2)" for an object, "k[]{a,b}"
// "(1,2;3,4)" for an array of them; "!" begins a row that is no such object. "&1"
// is a value defined above the document, "~" begins JSON inside a string. The
// first line holds the white space's style and the signs that the text uses.
//
// It refuses text that is not JSON, is nested deeper than 128, or is laid out
// unlike any printer does it; it never repairs.
package jsonform
