#!/usr/bin/env bash
# A day of two teams on one small cluster, told by the engine itself: every table is what $MUSTER
# prints when it plays scenario.yaml up to the act in question.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}
small_first=(--policy ../../policies/small-first)
cluster=(-f cluster.yaml -f queues.yaml)
team_b=(-f team-b-job.yaml)
both=("${team_b[@]}" -f team-a-job.yaml)
all=("${both[@]}" -f team-a-evening.yaml)

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; fi
title() { printf '%s%s%s\n' "$bold" "$1" "$plain"; }
say() { printf '%s\n' "$@"; }

# before_act N VERB WORD... -f FILE...: the verb's answer at the end of the act before act N.
before_act() {
  local act=$1
  shift
  sed "/^# Act $act,/,\$d" scenario.yaml | "$muster" "$@" "${cluster[@]}" -f -
}
queues() { before_act "$1" get clusterqueues "${@:2}" && say ''; }

# decided TIME: of the cycles of `muster schedule`, those at TIME in which something happened.
decided() {
  awk -v time="T$1Z" 'BEGIN { RS = ""; ORS = "\n\n" }
    /^Summary/ { exit } index($0, time) && !/none starts/'
}

title 'Two teams share 10 CPUs and 2 GPUs'
say 'Team A owns the GPUs. The CPUs belong to shared-cq, and all queues of the cohort borrow them.'
"$muster" get clusterqueues "${cluster[@]}"
say ''

title '09:00  Team B submits a job of 5 CPUs, priority 100'
before_act 2 schedule "${team_b[@]}" | decided 09:00:00

title '10:00  Team A submits a job of 7 CPUs and 2 GPUs, priority 1000; 5 CPUs are left'
before_act 3 schedule "${both[@]}" | decided 10:00:00
say 'Why team B, and by whose rule?'
before_act 3 explain team-a/job-team-a-job "${both[@]}" | sed -n '/^Candidates/,$p'
say '' 'Before: as long as the pods of team B run, its 5 borrowed CPUs stay charged.'
queues 3 "${both[@]}"

title '10:00:30  The pods of team B are gone; its job is back in the queue'
before_act 4 schedule "${both[@]}" | decided 10:00:30
say 'After:'
queues 4 "${both[@]}"
before_act 4 explain team-b/job-team-b-job "${both[@]}" | sed -n '1p'
say ''

title '17:00  The production job ends; three jobs of team A have waited for the GPUs since 11:00'
say 'First come, first served (policies/fifo-priority): retrain takes both GPUs.' ''
before_act END schedule "${all[@]}" | decided 17:00:00
say 'The same day under policies/small-first: the two short evaluations go first.' ''
before_act END schedule "${all[@]}" "${small_first[@]}" | decided 17:00:00
before_act END explain team-a/job-retrain "${all[@]}" "${small_first[@]}" | sed -n '/^Order in/p'

say ''
title 'The same day on a ledger: every answer is on disk before it is shown'
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT
ledger=$folder/day.ledger
on_ledger() { "$muster" "$@" --db "$ledger"; }
{
  on_ledger apply "${cluster[@]}" --now 2026-03-02T08:00:00Z
  on_ledger submit "${team_b[@]}" --now 2026-03-02T09:00:00Z
  on_ledger schedule --now 2026-03-02T09:00:00Z
  on_ledger submit -f team-a-job.yaml --now 2026-03-02T10:00:00Z
  on_ledger schedule --now 2026-03-02T10:00:00Z
} >"$folder/log"
on_ledger get workloads
before=$(on_ledger get workloads -o json)

say '' 'A process runs cycle after cycle. No other may write meanwhile, and kill -9 ends it.'
"$muster" schedule --db "$ledger" --cycles 100000 --now 2026-03-02T10:00:00Z >"$folder/log" &
writer=$!
for _ in {1..200}; do
  if grep -qsw "$writer" "$ledger.lock"; then break; fi
  sleep 0.02
done
on_ledger schedule --wait 0 2>&1 |
  sed "s/ process $writer on .*;/ that process;/; s|$folder/||" || true
sleep 0.2
kill -9 "$writer"
{ wait "$writer" || true; } 2>"$folder/log"
[ "$(on_ledger get workloads -o json)" = "$before" ]
say '' 'Opened again, nothing has changed:'
"$muster" ledger verify "$ledger" | sed "s|$folder/||; s/, [0-9].*//"
say '' 'And the day goes on where it was: the pods of team B are gone.'
on_ledger evicted --all --now 2026-03-02T10:00:30Z
on_ledger schedule --now 2026-03-02T10:00:30Z | decided 10:00:30

title 'A policy that errs decides nothing'
say 'Its own tests keep it out:'
"$muster" policy new careless --in "$folder" >"$folder/log"
sed -i 's/return w.priority, -w.gpus/return w.priority, 8 \/ (w.gpus - 2)/' \
  "$folder/careless/policy.lua"
activate=(policy activate "$folder/careless" --now 2026-03-02T11:00:00Z)
{ on_ledger "${activate[@]}" 2>&1 || true; } | sed -n "s|$folder/||g; 1,4p"
say '' 'Activated all the same; the engine takes its place in the cycle in which it fails:'
on_ledger "${activate[@]}" --untested | sed "s|$folder/||g"
on_ledger submit -f team-a-evening.yaml --now 2026-03-02T11:00:00Z >"$folder/log"
on_ledger schedule --now 2026-03-02T11:00:00Z 2>&1 | sed -n "s|$folder/||g; 1,6p"
say '' 'Undone as fast:'
on_ledger policy rollback --now 2026-03-02T11:00:30Z 2>&1 | sed "s|$folder/||g"
say ''

title 'A candidate decides beside what is live, without effect'
on_ledger finish team-a/job-team-a-job --now 2026-03-02T17:00:00Z >"$folder/log"
on_ledger schedule "--shadow=${small_first[1]}" --now 2026-03-02T17:00:00Z | sed -n '/^Shadow/,$p'
say '' 'That is what was meant: it goes live, between two cycles.'
on_ledger policy activate "${small_first[1]}" --now 2026-03-02T17:00:30Z --why 'short jobs first'
on_ledger policy list
say ''

say 'Now you:' \
  '  muster schedule -f examples/gpu-preemption                       every cycle of this day' \
  '  muster explain team-a/job-eval-2 -f examples/gpu-preemption      why it still waits' \
  '  policies/small-first/policy.lua                                  change it, run this again' \
  '  docs/writing-a-policy.md                                         write your own' \
  '  make serve-demo                                                  look at it in a browser'
