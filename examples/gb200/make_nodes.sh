#!/usr/bin/env bash
# Eight racks of eighteen GB200 hosts with four GPUs each, and six larger hosts without any.
set -euo pipefail

# node NAME RACK CPUS GPUS
node() {
  cat <<YAML
---
apiVersion: v1
kind: Node
metadata: {name: $1, labels: {block: b0, rack: $2, kubernetes.io/hostname: $1}}
status:
  allocatable: {cpu: $3, nvidia.com/gpu: $4, pods: 110}
  conditions: [{type: Ready, status: "True"}]
YAML
}

for rack in 0 1 2 3 4 5 6 7; do
  for host in $(seq -w 18); do node "r$rack-$host" "r$rack" 144 4; done
done
for host in 1 2 3 4 5 6; do node "cpu-$host" cpu 256 0; done
