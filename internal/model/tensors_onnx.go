//go:build cgo

package model

import (
	"errors"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// tensors are made over Go's memory, which they do not copy, and freed together.
type tensors struct {
	all []interface{ Destroy() error }
	err error
}

func (t *tensors) make(data []float32, shape ...int64) ort.Value { return tensor(t, data, shape) }

func (t *tensors) ints(data []int64, shape ...int64) ort.Value { return tensor(t, data, shape) }

func tensor[T ort.TensorData](t *tensors, data []T, shape []int64) ort.Value {
	v, err := ort.NewTensor(ort.NewShape(shape...), data)
	if err != nil {
		t.err = errors.Join(t.err, fmt.Errorf("make tensor: %w", err))
		return nil
	}
	t.all = append(t.all, v)
	return v
}

// run runs s on tensors made by t and frees them all.
func (t *tensors) run(s *ort.DynamicAdvancedSession, in, out []ort.Value) error {
	err := t.err
	if err == nil {
		err = s.Run(in, out)
	}
	for _, v := range t.all {
		err = errors.Join(err, v.Destroy())
	}
	return err
}
