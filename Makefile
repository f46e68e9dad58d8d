# Kandev Desktop. `make run` opens the app, `make test` tests it, `make help` lists the rest.
# Every target works from a fresh clone: build/setup.sh installs what is missing.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

# Go and npm keep their caches below HOME; where a service runs us without one, they get one here.
ifeq ($(HOME),)
export HOME := $(CURDIR)/build/tmp/home
endif

BIN   := build/bin/kandev-desktop
DEV   := build/bin/kandev-desktop-dev
TOOL  := go tool -modfile=tools/go.mod
NPM   := npm --prefix frontend
LINUX := $(filter Linux,$(shell uname -s))
# webkit2_41: WebKitGTK 4.1, the only one that current distributions still ship.
comma  := ,
WEBKIT := $(if $(LINUX),$(comma)webkit2_41)
TAGS     = desktop,production$(WEBKIT)
DEV_TAGS = dev$(WEBKIT)

# On a Mac: a framework that Wails leaves to its own command, and the oldest macOS, as in build/darwin/Info.plist.
ifeq ($(shell uname -s),Darwin)
export CGO_LDFLAGS := $(strip $(CGO_LDFLAGS) -framework UniformTypeIdentifiers)
export MACOSX_DEPLOYMENT_TARGET := 13.0
endif

# One version, from the git tag; see build/version.sh. VERSION overrides it.
RELEASE  = $(shell build/version.sh)
STAMP    = -X kandev/cli.release=$(RELEASE)

MODULES := frontend/node_modules/.package-lock.json
KNIP    := tools/knip/node_modules/.package-lock.json
FOREIGN := frontend/e2e/foreign/node_modules/.package-lock.json
DIST    := frontend/dist/index.html
FRONT_SRC = $(shell find frontend -name node_modules -prune -o -path frontend/dist -prune -o -path frontend/e2e -prune -o -type f -print 2>/dev/null)

.PHONY: help setup setup-e2e run dev build build-dev front test test-go test-front race vet-all \
	lint fmt fmt-check unused check bindings bindings-drift e2e foreign foreign-app conformance load long-calls e2e-agents e2e-agents-ci window-test figures fuzz-short clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what build and run need (Debian and Ubuntu; elsewhere it says what is missing)
	@build/setup.sh run

setup-e2e: ## install what the end-to-end tests need as well
	@build/setup.sh run e2e

run: ## build the app and open it
	@build/run.sh --check-display
	@$(MAKE) build
	@build/run.sh $(BIN) $(ARGS)

dev: setup $(MODULES) ## the app with hot reload and a data folder of its own
	@mkdir -p build/dev-home
	@KANDEV_HOME="$${KANDEV_HOME:-$(CURDIR)/build/dev-home}" $(TOOL) wails dev -nocolour -m -nosyncgomod \
		-loglevel error -devserver 127.0.0.1:34115 -extensions go,md,sql

build: setup front ## the program, build/bin/kandev-desktop
	@go build -trimpath -tags $(TAGS) -ldflags "-s -w $(STAMP)" -o $(BIN) .

build-dev: setup front ## the program with Wails' dev server, for the end-to-end tests; never ship it
	@go build -tags $(DEV_TAGS) -ldflags "$(STAMP)" -o $(DEV) .

front: $(DIST) ## the front end, into frontend/dist
	@:

$(DIST): $(FRONT_SRC) $(MODULES)
	@$(NPM) run -s build -- --logLevel warn
	@touch $@

$(MODULES): frontend/package.json frontend/package-lock.json
	@build/setup.sh node
	@$(NPM) ci --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

test: test-go test-front ## all tests that need no window

test-go: ## Go tests; they need neither cgo nor a built front end
	@CGO_ENABLED=0 go test ./...

test-front: $(MODULES) ## types, lint and tests of the front end
	@$(NPM) run -s typecheck
	@$(NPM) run -s lint
	@$(NPM) run -s test

race: ## Go tests under the race detector
	@go test -race ./...

vet-all: ## go vet for the three systems, and for the tagged window where its libraries are here
	@for os in linux darwin windows; do echo "vet $$os"; CGO_ENABLED=0 GOOS=$$os go vet ./...; done
	@echo "vet windows, window"; CGO_ENABLED=0 GOOS=windows go vet -tags desktop,production ./...
	@if [ -n "$(LINUX)" ] && pkg-config --exists webkit2gtk-4.1 2>/dev/null; then \
		echo "vet linux, window"; go vet -tags $(TAGS) . ./app; fi

lint: ## golangci-lint; the first run builds it, which takes minutes
	@$(TOOL) golangci-lint run

fmt: $(MODULES) ## format Go and TypeScript
	@$(TOOL) golangci-lint fmt
	@$(NPM) run -s format

fmt-check: ## fail where Go is not formatted
	@$(TOOL) golangci-lint fmt --diff

$(KNIP): tools/knip/package.json tools/knip/package-lock.json
	@build/setup.sh node
	@npm --prefix tools/knip ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

unused: $(MODULES) $(KNIP) ## fail when a dependency, a file or an export of the window is used by nobody, or go.mod is not tidy
	@cd frontend && node ../tools/knip/node_modules/knip/bin/knip.js --no-progress
	@go mod tidy -diff

check: fmt vet-all lint test ## before every commit

bindings: ## write frontend/wailsjs from the bound Go methods
	@mkdir -p build/tmp
	@dir=$$(mktemp -d "$(CURDIR)/build/tmp/bindings.XXXXXX"); trap 'rm -rf "$$dir"' EXIT; \
		TMPDIR="$$dir" KANDEV_HOME="$$dir/home" $(TOOL) wails generate module >"$$dir/log" 2>&1 || { cat "$$dir/log"; exit 1; }; \
		[ ! -e "$$dir/home" ] || { echo "a build tagged bindings opened the data folder: see app/build_bindings.go"; exit 1; }
	@chmod 644 frontend/wailsjs/runtime/* # as make dev writes them

bindings-drift: bindings ## fail when frontend/wailsjs is not what `make bindings` writes
	@changed=$$(git status --porcelain -- frontend/wailsjs); if [ -n "$$changed" ]; then \
		git --no-pager diff --stat -- frontend/wailsjs; \
		echo "frontend/wailsjs has drifted: run make bindings and commit it"; echo "$$changed"; exit 1; fi

e2e: setup-e2e build-dev ## the app against its real backend, driven in Chromium
	@KANDEV_BIN="$(CURDIR)/$(DEV)" xvfb-run -a -s "-screen 0 1280x900x24 -nolisten tcp" $(NPM) run -s e2e

$(FOREIGN): frontend/e2e/foreign/package.json frontend/e2e/foreign/package-lock.json
	@build/setup.sh node
	@# Not npm ci: it wants an optional package of vite that registries lack. The lock file holds all versions.
	@npm --prefix frontend/e2e/foreign install --no-save --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

foreign: $(FOREIGN) ## MCP clients that others wrote, against our endpoint; CLIENT=v2 for some
	@cd frontend/e2e/foreign && node run.mjs $(CLIENT)

foreign-app: setup-e2e build-dev $(FOREIGN) ## some of them against the running app
	@KANDEV_BIN="$(CURDIR)/$(DEV)" xvfb-run -a -s "-screen 0 1280x900x24 -nolisten tcp" \
		node --test --test-reporter=spec --test-concurrency=1 --test-timeout=90000 frontend/e2e/foreign/app.mjs

conformance: $(FOREIGN) ## the official MCP suites against our endpoint, both eras
	@cd frontend/e2e/foreign && node conformance.mjs $(ARGS)

load: ## 20 MCP sessions for a minute under the race detector, while the tools change
	@KANDEV_LOAD=$${KANDEV_LOAD:-60s} go test -race -count=1 -timeout 10m -run '^TestLoad$$' -v ./backend/mcpserver

long-calls: $(FOREIGN) ## nightly: calls of 20 minutes, ours and others' clients; KANDEV_LONG_CALLS=1m for one
	@KANDEV_LONG_CALLS=$${KANDEV_LONG_CALLS:-20m} go test -count=1 -timeout 60m -run '^TestLongCalls$$' -v ./backend/mcpserver
	@cd frontend/e2e/foreign && node long.mjs

e2e-agents: ## real agents from npm, offline, through the real backend; writes docs/agents.md; AGENTS=auggie,qwen for some
	@build/setup.sh node
	@agents="$${AGENTS:-toolbench,claude,codex,gemini,opencode,auggie,copilot,qwen}"; \
		KANDEV_AGENTS_CACHE="$$(e2e/agents/install.sh $${agents//,/ })" KANDEV_AGENTS="$$agents" KANDEV_AGENTS_WRITE=1 \
		CGO_ENABLED=0 go test -count=1 -parallel 2 -timeout 100m -v -run '^TestAgents$$' ./e2e/agents

e2e-agents-ci: ## the small ones of them, compared with docs/agents.md
	@build/setup.sh node
	@KANDEV_AGENTS_CACHE="$$(e2e/agents/install.sh auggie gemini copilot)" KANDEV_AGENTS=toolbench,auggie,gemini,copilot \
		CGO_ENABLED=0 go test -count=1 -parallel 2 -timeout 10m -v -run '^TestAgents$$' ./e2e/agents

window-test: setup-e2e ## the window's walls in a real web view on a virtual display
	@xvfb-run -a -s "-screen 0 1280x900x24 -nolisten tcp" \
		go test -count=1 -tags $(TAGS) -run '^TestWindow' ./app

figures: ## measure and print what we promise; also build/figures.txt
	@build/figures.sh

fuzz-short: ## every fuzz target for FUZZTIME (10s)
	@build/fuzz.sh $${FUZZTIME:-10s}

include build/package.mk

clean: ## remove what was built, not what was installed
	@rm -rf build/bin build/tmp build/figures.txt
	@find frontend/dist -mindepth 1 ! -name .gitkeep -delete
