# make run   builds winnow and shows it at work on a real captured tool call
# make test  builds winnow and runs every check that needs no client session
# make fuzz  tries the reducer's properties on made-up bytes, 20 s each
# make e2e   runs the real Claude Code client against a scripted API
# make dist  packs an archive for each platform into build/dist
# make train LABELS=... DATA=...   fits the judge anew (an hour and a half on two cores; goes on where it was killed)
# make train-smoke   the same on a handful of made-up results
SHELL := /bin/bash
GO      ?= go
# The one place of the version is the plugin's manifest.
VERSION := $(shell sed -n 's/.*"version": "\(.*\)".*/\1/p' .claude-plugin/plugin.json)
BUILD   := $(shell git rev-parse --short=12 HEAD 2>/dev/null)$(shell git status --porcelain 2>/dev/null | grep -q . && echo +)
LDFLAGS := -X main.version=$(VERSION) -X main.buildID=$(BUILD)
# bin/winnow is the launcher; it finds this beside itself.
BINARY  := bin/winnow-$(shell $(GO) env GOOS)-$(shell $(GO) env GOARCH)

.PHONY: all build run test fuzz e2e client ort lint bench dist eval-shared train train-smoke clean

LABELS ?= ../shared/labels
DATA   ?= ../shared/data

all: build

ort:
	@scripts/fetch-ort.sh

client:
	@scripts/fetch-client.sh

build: ort
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BINARY) ./cmd/winnow

run: build
	@scripts/run.sh

lint:
	@out=$$(gofmt -l cmd internal e2e); if [ -n "$$out" ]; then echo "gofmt: $$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags e2e ./e2e/...
	$(GO) tool staticcheck ./...
	$(GO) tool staticcheck -tags e2e ./e2e/...

test: build client lint
	$(GO) test -race ./...
	scripts/plugin-test.sh build/claude/claude

# Properties of the reducer on made-up bytes; FUZZTIME=10m for once.
FUZZTIME ?= 20s
fuzz:
	scripts/fuzz.sh $(FUZZTIME)

e2e: build client
	e2e/run.sh -test.v

bench: build client
	bin/winnow bench --count 10
	E2E_BENCH=1 e2e/run.sh -test.run TestBenchRow

dist: ort
	scripts/dist.sh '$(VERSION)' '$(BUILD)' $(PLATFORMS)

eval-shared: build
	scripts/eval-shared.sh ../shared

train: build
	scripts/train-setup.sh
	OMP_NUM_THREADS=1 build/venv/bin/python train/judge.py --labels $(LABELS) --data $(DATA)

train-smoke: build
	scripts/train-setup.sh
	rm -rf build/smoke
	OMP_NUM_THREADS=1 build/venv/bin/python train/smoke.py build/smoke

clean:
	rm -rf bin/winnow-* build internal/ortlib/lib/*/
