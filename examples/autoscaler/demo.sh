#!/usr/bin/env bash
# A morning on rented machines: a gateway on a ledger, and an autoscaler that answers for a check.
set -euo pipefail
cd "$(dirname "$0")"
export MUSTER=${MUSTER:-muster}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ledger=$folder/morning.ledger
cloud=$folder/cloud.json
echo '{"stock": 6, "delaySeconds": 300, "requests": {}}' >"$cloud"

# at TIME VERB WORD...: the verb on the ledger at that time of the day.
at() { "$MUSTER" "${@:2}" --db "$ledger" --now "2026-03-02T$1Z"; }
title() { printf '\n%s\n' "$1"; }
# look TIME: a cycle, then the autoscaler.
look() {
  at "$1" schedule --until-idle | grep -E '^  (reserved|admitted)' || true
  python3 autoscaler.py "$ledger" "2026-03-02T$1Z" "$cloud"
}

title '09:00  Two jobs get quota for 4 and 3 nodes; the provider has 6, and takes five minutes'
at 09:00:00 apply -f queues.yaml >/dev/null
at 09:00:00 submit -f jobs.yaml
look 09:00:00

title '09:05  The nodes of the first are there; the second is to try again in a minute'
look 09:05:00
"$MUSTER" describe workload lab/job-train --db "$ledger" | grep -A2 "^Admission checks"
at 09:05:00 evicted --all

title '09:06  The second attempt; meanwhile the provider has bought more machines'
sed -i 's/"stock": 2/"stock": 8/' "$cloud"
look 09:06:00
look 09:11:00
title 'What runs now, and where'
"$MUSTER" get workloads --db "$ledger"
