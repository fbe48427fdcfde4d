//go:build cgo

package model

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"
)

// environment loads the library and makes onnxruntime's environment once for
// the process, the first caller's library deciding. What came of it stays, an
// error included: a second attempt in the same process has no defined meaning.
//
// It is never taken down. onnxruntime keeps memory and threads of its own past
// that, and nothing is gained before the process ends.
func environment(library string) error {
	start.Do(func() {
		// The official library carries a telemetry client that starts with the
		// environment: it makes a device id under the user's cache folder, a log in
		// /tmp, and looks its server up. DisableTelemetry below comes too late for
		// that; this variable, read when the environment is made, comes in time.
		if err := os.Setenv("ORT_DISABLE_TELEMETRY", "1"); err != nil {
			startErr = fmt.Errorf("switch telemetry off: %w: %w", ErrUnavailable, err)
			return
		}
		ort.SetSharedLibraryPath(library)
		// stdout and stderr belong to protocols and to the person.
		if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
			startErr = fmt.Errorf("load %s: %w: %w", library, ErrUnavailable, err)
			return
		}
		if err := ort.DisableTelemetry(); err != nil {
			startErr = fmt.Errorf("switch telemetry off: %w: %w", ErrUnavailable, err)
		}
	})
	return startErr
}

var (
	start    sync.Once
	startErr error
)

// made counts sessions. Memory of a session does not all come back, so one is
// made by [Open] and never elsewhere; a test holds us to it.
var made atomic.Int64

// newSession makes a session that runs on the calling thread alone: beside an
// agent's own builds a second, spinning thread makes everything slower.
func newSession(network []byte, inputs, outputs []string) (_ *ort.DynamicAdvancedSession, err error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("session options: %w", err)
	}
	defer func() { err = errors.Join(err, o.Destroy()) }()
	err = errors.Join(
		o.SetIntraOpNumThreads(1),
		o.SetInterOpNumThreads(1),
		o.SetExecutionMode(ort.ExecutionModeSequential),
		o.SetLogSeverityLevel(ort.LoggingLevelFatal),
		o.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"),
		o.AddSessionConfigEntry("session.inter_op.allow_spinning", "0"),
		// Texts differ in size, and one huge text must not set the resident
		// memory of the daemon for good.
		o.SetCpuMemArena(false),
		o.SetMemPattern(false),
	)
	if err != nil {
		return nil, fmt.Errorf("session options: %w", err)
	}
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(network, inputs, outputs, o)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	made.Add(1)
	return s, nil
}

// property returns a word that training put into the model's metadata.
func property(s *ort.DynamicAdvancedSession, key string) (_ string, err error) {
	m, err := s.GetModelMetadata()
	if err != nil {
		return "", fmt.Errorf("read model's metadata: %w", err)
	}
	defer func() { err = errors.Join(err, m.Destroy()) }()
	v, _, err := m.LookupCustomMetadataMap(key)
	return v, err
}
