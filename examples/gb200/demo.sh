#!/usr/bin/env bash
# Gangs on racks of eighteen hosts: how slices are laid out, and what a small CPU job spoils.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
./make_nodes.sh > "$folder/nodes.yaml"

# morning FLAVORS VERB WORD...: the verb's answer at 9:00, when the first two jobs were looked at.
morning() {
  local flavors=$1
  shift
  sed '/^# The evening/,$d' day.yaml |
    "$muster" "$@" -f queues.yaml -f "$flavors" -f "$folder/nodes.yaml" -f jobs.yaml -f -
}
evening() {
  "$muster" "$@" -f queues.yaml -f two-flavors.yaml -f "$folder/nodes.yaml" -f jobs.yaml \
    -f evening.yaml -f day.yaml
}
domains() { sed -n '/^Domains/,$p'; }

echo 'The CPU job takes five hosts of a rack, and the gang of 120 needs 15 hosts of each:'
morning one-flavor.yaml describe topology racks | domains
morning one-flavor.yaml explain ml/job-train-120 | sed -n 1p
echo
echo 'With a flavor for hosts without GPUs it goes there, and the gang starts:'
morning two-flavors.yaml describe topology racks | domains
echo
echo 'In the evening: 48 as 3 x 16, 24 as 2 x 12.'
evening describe topology racks | domains
evening describe workload ml/job-train-24 | sed -n '/^Places/,/^$/p'
