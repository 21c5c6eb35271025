#!/usr/bin/env bash
# Five published orders on one machine, through the same engine.
set -euo pipefail
cd "$(dirname "$0")"
MUSTER=${MUSTER:-muster}

for package in fcfs sjf f1 wfp3 uni; do "$MUSTER" policy test "$package" >/dev/null; done
"$MUSTER" simulate -f machine.yaml --jobs jobs.csv --policy fcfs sjf f1 wfp3 uni -o csv |
  awk -F, '$2 == "" && $3 == "all" {print $1, "mean wait", $12 + 0, "s, slowdown", $14 + 0}'
