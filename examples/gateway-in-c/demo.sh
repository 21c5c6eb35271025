#!/usr/bin/env bash
# Runs the gateway, which the build puts beside $MUSTER, kills it between acting on a decision and
# acknowledging it, and runs it again.
set -euo pipefail
cd "$(dirname "$0")"
muster=$(command -v "${MUSTER:-muster}")
gateway=$(dirname "$muster")/example_gateway_in_c
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT

ledger=$folder/day.ledger

"$gateway" "$ledger" queues.yaml 1 || echo "killed, exit code $?"
"$muster" get consumers --db "$ledger"
echo 'started again'
"$gateway" "$ledger" queues.yaml
"$muster" get consumers --db "$ledger"
"$muster" ledger verify "$ledger" --replay | sed "s|$folder/||; s/, [0-9].*//; s/: [0-9].*//"
echo 'and a file that is no ledger is refused'
{ "$gateway" queues.yaml queues.yaml || [ $? = 1 ]; } 2>&1 |
  grep -o 'queues.yaml is not a Muster ledger'
