// Package rows is what the compressors of JSON and of tables share: how a column
// is stated once instead of in every row ([Folder]), how a cell is written
// ([AppendCell]), and which rows of many must stay when only some can
// ([Picker]). It knows nothing of either format and writes no text of its own.
package rows
