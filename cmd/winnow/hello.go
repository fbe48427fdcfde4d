package main

import (
	"time"

	"winnow/internal/api"
)

// greeted remembers a session that loaded the mod, for doctor.
func (d *daemon) greeted(r api.HelloRequest) {
	d.hellos.Lock()
	defer d.hellos.Unlock()
	if err := d.dir.AddHello(api.Hello{HelloRequest: r, At: time.Now().UTC().Truncate(time.Millisecond)}); err != nil {
		d.log.Warn("hello not written", "err", err)
	}
	d.log.Info("hello", "session", r.Session, "client", r.Client)
}
