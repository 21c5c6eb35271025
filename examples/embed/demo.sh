#!/usr/bin/env bash
# Runs the gateway, which the build puts beside $MUSTER, kills it in the middle of an eviction and
# runs it again.
set -euo pipefail
cd "$(dirname "$0")"
muster=$(command -v "${MUSTER:-muster}")
gateway=$(dirname "$muster")/example_embed
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT

ledger=$folder/day.ledger

{ "$gateway" "$ledger" queues.yaml 09:11 || echo "killed, exit code $?"; } 2>"$folder/log"
echo 'started again'
"$gateway" "$ledger" queues.yaml
"$muster" ledger verify "$ledger" --replay | sed "s|$folder/||; s/, [0-9].*//; s/: [0-9].*//"
