#!/usr/bin/env bash
# What scenario.yaml proves, told by the engine: whole gangs, and what a reclaim would evict.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}
manifests=(-f cluster.yaml -f gangs.yaml -f sweep.yaml)
say() { printf '%s\n' "$@"; }

# at_ten VERB WORD...: the verb's answer at 10:00, just after speech submitted its gang.
at_ten() {
  { sed '/^# Act 4,/,$d' scenario.yaml && say '- submit: [team-speech/job-pretrain]'; } |
    "$muster" "$@" "${manifests[@]}" -f -
}

say '10:00. Vision has borrowed 8 GPUs, 8 are idle, and research has a gang of 16 waiting for them.'
at_ten get clusterqueues
at_ten explain team-research/job-ablation | sed -n '1p'

say '' 'Speech has just asked for its own 16. Which running jobs would a reclaim evict?'
at_ten explain team-speech/job-pretrain | grep -e '^team-speech' -e 'OUTCOME' -e 'would be evicted'
say '' 'And one of them, asked by its owner before it happens:'
at_ten explain team-vision/job-sweep-24 | sed -n '/^It borrows/,/^$/p'

say 'A minute later, the evicted pods gone: every team has its 16, and no gang ever ran in part.'
"$muster" get clusterqueues "${manifests[@]}" -f scenario.yaml

say '' 'Two mistakes that cost teams days. A node label with a typo:'
sed 's/gpu-type/gpu_type/' nodes.yaml | "$muster" validate -f cluster.yaml --nodes - 2>&1
say 'And a Job without its queue label, which would run around every quota:'
sed '/^---/,$d; /queue-name/d' gangs.yaml | "$muster" validate -f cluster.yaml -f - 2>&1 || true
