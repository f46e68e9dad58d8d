#!/usr/bin/env bash
# Signs a Windows program in place: SIGN_PKCS12=FILE SIGN_PASSWORD=… build/sign-windows.sh PROGRAM
# SIGN_TIMESTAMP is the address of a timestamp server; without one the signature ends with its certificate.
set -euo pipefail
program=$1
: "${SIGN_PKCS12:?}"
timestamp=()
[ -z "${SIGN_TIMESTAMP:-}" ] || timestamp=(-ts "$SIGN_TIMESTAMP")
# The password goes by a file descriptor: a command line can be read by every user.
osslsigncode sign -pkcs12 "$SIGN_PKCS12" -readpass <(printf '%s' "${SIGN_PASSWORD:-}") -h sha256 -n "Kandev Desktop" \
  "${timestamp[@]}" -in "$program" -out "$program.signed" >&2
mv "$program.signed" "$program"
