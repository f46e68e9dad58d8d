#!/usr/bin/env bash
# Looks through what packages are made from, without making them: desktop file, metainfo, scripts, and by
# tools/packaging the icons, the macOS app, the workflow, versions and release notes. A few seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/tmp
desktop-file-validate build/linux/kandev-desktop.desktop
sed 's/@VERSION@/1.2.3/; s/@DATE@/2026-01-31/' build/linux/io.github.kandev.desktop.metainfo.xml >build/tmp/io.github.kandev.desktop.metainfo.xml
appstreamcli validate --no-net build/tmp/io.github.kandev.desktop.metainfo.xml >build/tmp/appstream.log ||
  { cat build/tmp/appstream.log; exit 1; }
for script in build/*.sh; do bash -n "$script"; done
go -C tools test -count=1 ./...
