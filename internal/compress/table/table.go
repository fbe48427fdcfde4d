// Package table makes tables shorter: CSV, TSV, Markdown and columns aligned by
// blanks. [Codec] states once what every row says and leaves padding out, and
// gives the text back byte for byte; [Editor] hides rows of long tables. Both
// leave what is around a table as it is, and refuse a text that has none.
package table
