#!/usr/bin/env bash
# Head-of-line blocking, and what a lending limit keeps back: the two scenarios side by side.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}
say() { printf '%s\n' "$@"; }

# morning STRATEGY VERB WORD...: the verb's answer at 09:05, when twelve jobs have been submitted.
morning() {
  local scenario=$1.yaml
  shift
  sed '/^# Act 3,/,$d' "$scenario" | "$muster" "$@" -f queues.yaml -f jobs.yaml -f -
}

say 'Training uses 45 GPUs and could have 40 more. First in its queue is a gang of 64; ten jobs' \
  'of 4 GPUs stand behind it.' '' 'StrictFIFO: no job passes the gang, 40 GPUs are idle.'
morning strict-fifo get clusterqueues
morning strict-fifo explain training/job-small-01 | sed -n '1p; /^Ahead/,/^$/p'

say 'BestEffortFIFO: the gang waits, the small jobs pass.'
morning best-effort-fifo get clusterqueues
morning best-effort-fifo explain training/job-big | sed -n '1p'

say '' 'Inference then gets its 15 reserved GPUs at once, and the 5 that it had lent by preemption:'
all=(-f queues.yaml -f jobs.yaml -f later.yaml -f best-effort-fifo.yaml)
"$muster" schedule "${all[@]}" | grep -e '^  admitted .*inference' -e '^  preempted'

say '' 'And why a gang of 90 never starts, although training may borrow up to 100:'
"$muster" explain training/job-moonshot "${all[@]}" | sed -n '1p'
