#!/usr/bin/env bash
# Runs every fuzz target for the given time each; go test takes only one target at once.
#
#   build/fuzz.sh 10s
set -euo pipefail
cd "$(dirname "$0")/.."
count=0
while IFS=: read -r file target; do
  echo "fuzz ./$(dirname "$file") $target"
  CGO_ENABLED=0 go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" "./$(dirname "$file")"
  count=$((count + 1))
done < <(git ls-files '*_test.go' | xargs grep -Ho '^func Fuzz[A-Za-z0-9_]*' | sed 's/:func /:/')
echo "fuzz: $count targets, nothing found"
