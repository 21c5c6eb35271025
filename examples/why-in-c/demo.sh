#!/usr/bin/env bash
# Runs the program, which the build puts beside $MUSTER, and repeats its ledger.
set -euo pipefail
cd "$(dirname "$0")"
muster=$(command -v "${MUSTER:-muster}")
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT

"$(dirname "$muster")/example_why_in_c" "$folder/day.ledger" queues.yaml
"$muster" get consumers --db "$folder/day.ledger"
"$muster" ledger verify "$folder/day.ledger" --replay |
  sed "s|$folder/||; s/, [0-9].*//; s/: [0-9].*//"
