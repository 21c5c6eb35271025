#!/usr/bin/env bash
# Fifty jobs on thirty GPUs: the queues after each act of scenario.yaml, and which had to make room.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}
say() { printf '%s\n' "$@"; }

# before_act N VERB...: the verb's answer at the end of the act before act N, of the fifty jobs.
before_act() {
  local act=$1
  shift
  sed "/^# Act $act,/,\$d" scenario.yaml | "$muster" "$@" -f queues.yaml -f jobs.yaml -f -
}

say '09:00. Team A (40 people, 10 GPUs) and team B (10 people, 20 GPUs) submit everything at once.'
before_act 2 get clusterqueues
before_act 2 explain team-a/job-scientist-38 | sed -n '1p; /^Ahead/p'

say '' '12:00. Team B is done. Team A borrows its 20 GPUs.'
before_act 3 get clusterqueues

say '' '13:00 an urgent job of team A arrives, 14:00 a gang of eight of team B. What made room?'
"$muster" schedule -f queues.yaml -f jobs.yaml -f afternoon.yaml -f scenario.yaml |
  grep -e '^  preempted' -e '^  admitted .*paper' -e '^  admitted .*finetune'
"$muster" get clusterqueues -f queues.yaml -f jobs.yaml -f afternoon.yaml -f scenario.yaml
