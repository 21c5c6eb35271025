#!/usr/bin/env bash
# A day on rented machines: a gateway on a ledger, and an autoscaler that answers for a check.
set -euo pipefail
cd "$(dirname "$0")"
export MUSTER=${MUSTER:-muster}
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT
ledger=$folder/day.ledger
cloud=$folder/cloud.json
echo '{"stock": 6, "delaySeconds": 300, "bookingSeconds": 600, "requests": []}' >"$cloud"

# at TIME VERB WORD...: the verb on the ledger at that time of the day.
at() { "$MUSTER" "${@:2}" --db "$ledger" --now "2026-03-02T$1Z"; }
title() { printf '\n%s\n' "$1"; }
# provider TEXT TEXT: what the provider thinks of is now something else.
provider() { sed -i "s/$1/$2/" "$cloud"; }
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
provider '"stock": 2' '"stock": 8'
look 09:06:00
look 09:11:00
title 'What runs now, and where'
"$MUSTER" get workloads --db "$ledger"

title '10:00  A node of the first job fails. It asks for nodes anew, under a name of their own'
at 10:00:00 evict lab/job-train --reason NodeFailures
at 10:00:00 evicted --all
look 10:00:00
look 10:05:00

title '11:00  The provider takes the nodes of the second job back'
provider '\("job-tune-provisioning-2"[^}]*\)"revoked": false' '\1"revoked": true'
look 11:00:00
at 11:00:00 evicted --all

title '12:00  A job that also needs an approval, which does not come while its nodes are booked'
provider '"stock": 1' '"stock": 9'
at 12:00:00 submit -f audited.yaml
look 12:00:00
look 12:05:00
look 12:15:00
