#!/usr/bin/env bash
# Measures what we promise and writes build/figures.txt, one `name value unit` a line.
#
# A figure is an ordinary test named TestFigure…: it appends its lines to the file that
# KANDEV_FIGURES names, and skips itself where that is empty. KANDEV_PACKAGED is the program as it
# is in the packages. The front end's figures come from
# `npm run figures`, which gets the same variable and the dev-tagged program in KANDEV_BIN.
set -euo pipefail
cd "$(dirname "$0")/.."
make setup-e2e build-dev package-linux >&2
export KANDEV_FIGURES=$PWD/build/figures.txt KANDEV_BIN=$PWD/build/bin/kandev-desktop-dev
export KANDEV_PACKAGED=$PWD/build/bin/kandev-desktop
: >"$KANDEV_FIGURES"
# mb NAME FILE notes the size of a file.
mb() { awk -v name="$1" -v size="$(stat -c %s "$2")" 'BEGIN { printf "%s %.1f MB\n", name, size / 1e6 }' >>"$KANDEV_FIGURES"; }
mb binary_mb "$KANDEV_PACKAGED"
mb deb_mb build/bin/packages/kandev-desktop_*.deb
# One package at a time: two measurements beside each other would measure each other.
go test -count=1 -p 1 -timeout 15m -run '^TestFigure' ./... | grep -v 'no test' >&2
xvfb-run -a -s "-screen 0 1280x900x24 -nolisten tcp" npm --prefix frontend run -s figures --if-present >&2
sort -u -o "$KANDEV_FIGURES" "$KANDEV_FIGURES"
cat "$KANDEV_FIGURES"
