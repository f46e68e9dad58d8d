#!/usr/bin/env bash
# Fails when a committed file is not what its make target writes: build/drift.sh TARGET PATH, after the target ran.
set -euo pipefail
cd "$(dirname "$0")/.."
changed=$(git status --porcelain -- "$2")
if [ -n "$changed" ]; then
  git --no-pager diff --stat -- "$2"
  echo "$2 has drifted: run make $1 and commit it"
  exit 1
fi
