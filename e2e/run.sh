#!/bin/sh
# Runs the end-to-end tests: the real client, a mock API, a network namespace that
# has only loopback. Needs bin/winnow built. Arguments go to the test binary:
#	e2e/run.sh -test.v -test.run 'Bash'
# E2E_KEEP=1 keeps the folder of a failed case; E2E_CLIENT=FILE runs another client.
set -eu
cd "$(dirname "$0")/.."
scripts/fetch-client.sh
# A later version, for the upgrade.
go build -trimpath -ldflags '-X main.version=9.9.9' -o build/winnow-next ./cmd/winnow
# Built out here: inside, no module could be fetched.
go test -c -tags e2e -o build/e2e.test ./e2e
exec unshare -rn sh -c 'ip link set lo up && cd e2e && exec ../build/e2e.test -test.timeout 20m "$@"' sh "$@"
