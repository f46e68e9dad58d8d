#!/usr/bin/env bash
# Measures what we promise and writes build/figures.txt, one `name value unit` a line.
#
# A figure is an ordinary test named TestFigure…: it appends its lines to the file that
# KANDEV_FIGURES names, and skips itself where that is empty. The front end's figures come from
# `npm run figures`, which gets the same variable and the dev-tagged program in KANDEV_BIN.
set -euo pipefail
cd "$(dirname "$0")/.."
make setup-e2e build-dev
export KANDEV_FIGURES=$PWD/build/figures.txt KANDEV_BIN=$PWD/build/bin/kandev-desktop-dev
: >"$KANDEV_FIGURES"
# One package at a time: two measurements beside each other would measure each other.
go test -count=1 -p 1 -timeout 15m -run '^TestFigure' ./... | grep -v 'no test' >&2
xvfb-run -a -s "-screen 0 1280x900x24 -nolisten tcp" npm --prefix frontend run -s figures --if-present >&2
sort -u -o "$KANDEV_FIGURES" "$KANDEV_FIGURES"
cat "$KANDEV_FIGURES"
