package api

// CleanRequest asks for the store to be cleaned now.
type CleanRequest struct {
	// OlderMS is the age in milliseconds from which originals go, 0: 30 days.
	OlderMS int64 `json:"older_ms,omitempty"`
	// MaxBytes is what originals may take together, 0: 200 MB; below 0: only what
	// live sessions show may stay.
	MaxBytes int64 `json:"max_bytes,omitempty"`
	// All removes everything, also what live sessions show.
	All bool `json:"all,omitempty"`
	// DryRun only counts.
	DryRun bool `json:"dry_run,omitempty"`
}

// CleanReply says what was removed, or would be.
type CleanReply struct {
	Removed      int   `json:"removed"`
	RemovedBytes int64 `json:"removed_bytes"`
	Kept         int   `json:"kept"`
	KeptBytes    int64 `json:"kept_bytes"`
	// Held are over the limits and stay because live sessions show them.
	Held int `json:"held"`
	// Sessions still hold markers of what was kept, Lost ones of what was removed.
	Sessions int `json:"sessions"`
	Lost     int `json:"lost"`
	// Damaged are stores that were set aside and are removed now.
	Damaged      int   `json:"damaged"`
	DamagedBytes int64 `json:"damaged_bytes"`
	// Before and After are the file's length in bytes.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	// Error says why not all of it could be done, "" if it was.
	Error string `json:"error,omitempty"`
}

// CheckReply is what reading all of the store found.
type CheckReply struct {
	Originals int   `json:"originals"`
	Bytes     int64 `json:"bytes"`
	// Bad are the keys whose text is damaged.
	Bad []string `json:"bad,omitempty"`
	// File is the file's length, Free what of it is unused.
	File  int64  `json:"file"`
	Free  int64  `json:"free"`
	Error string `json:"error,omitempty"`
}
