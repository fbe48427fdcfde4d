//go:build cgo

package model

// By default glibc gives threads heaps of their own and each keeps what the
// largest text ever took on it, and Go calls onnxruntime from whichever thread
// is free. One heap for all has to be asked for before there are threads, so
// before Go's own code runs. Other C libraries have nothing to set.

/*
#include <malloc.h>

#ifdef M_ARENA_MAX
__attribute__((constructor)) static void one_heap(void) { mallopt(M_ARENA_MAX, 1); }
#endif
*/
import "C"
