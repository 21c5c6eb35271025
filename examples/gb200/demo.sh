#!/usr/bin/env bash
# Gangs on racks of eighteen hosts: how slices are laid out, and what a small CPU job spoils.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}
package=../../policies/cpu-off-accelerators
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT
./make_nodes.sh > "$folder/nodes.yaml"

# morning VERB WORD...: the verb's answer at 9:00, when the first two jobs were looked at.
morning() {
  sed '/^# The evening/,$d' day.yaml |
    "$muster" "$@" -f queues.yaml -f "$folder/nodes.yaml" -f jobs.yaml -f -
}
evening() {
  "$muster" "$@" --policy "$package" -f queues.yaml -f "$folder/nodes.yaml" -f jobs.yaml \
    -f evening.yaml -f day.yaml
}
domains() { sed -n '/^Domains/,$p'; }

echo "By Kueue's rules the CPU job takes five hosts of a rack; the gang of 120 needs 15 of each:"
morning describe topology racks | domains
morning explain ml/job-train-120 | sed -n 1p
echo
echo 'Under policies/cpu-off-accelerators it goes where no GPUs are, and the gang starts:'
morning describe topology racks --policy "$package" | domains
echo
echo 'In the evening: 48 as 3 x 16, 24 as 2 x 12.'
evening describe topology racks | domains
evening describe workload ml/job-train-24 | sed -n '/^Places/,/^$/p'
echo
echo 'On a ledger: what the package answered is decided again when the ledger is repeated.'
at() { "$muster" "${@:2}" --db "$folder/day.ledger" --now "2026-01-01T$1Z"; }
at 09:00:00 apply -f queues.yaml -f "$folder/nodes.yaml" -f jobs.yaml > "$folder/log"
at 09:00:01 policy activate "$package" > "$folder/log"
at 09:00:02 schedule --until-idle | sed -n '/^Summary/p'
"$muster" ledger verify "$folder/day.ledger" --replay | grep -o '^repeated: [0-9]* commits'
