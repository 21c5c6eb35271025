#!/usr/bin/env bash
# A month of a real cluster: as it was, with borrowing, and with small jobs first.
set -euo pipefail
cd "$(dirname "$0")"
MUSTER=${MUSTER:-muster}
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT
jobs=venus-september.csv
title() { printf '\n%s\n' "$1"; }

title 'As it was: each virtual cluster for itself'
"$MUSTER" simulate -f apart.yaml --jobs $jobs

title 'One cohort: idle GPUs are lent, and taken back; jobs save their work every hour'
"$MUSTER" simulate -f together.yaml --jobs $jobs --checkpoint 1h

title 'And within each queue small jobs first, an hour of waiting counting as half the size'
"$MUSTER" simulate -f together.yaml --jobs $jobs --checkpoint 1h \
  --policy native --policy ../../policies/small-first \
  --report "$folder/report.html" 2>/dev/null
test -s "$folder/report.html"
