#!/usr/bin/env bash
# Every job kind once: what the manifests of this folder become, and that all of it may start.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}

printf '%s\n' 'What each manifest says of itself:'
for manifest in *.yaml; do
  printf '  %-22s %s\n' "$manifest" "$(sed -n '1s/^# //p' "$manifest")"
done
printf '%s\n' '' 'A CronJob is not queued itself, all others are:'
"$muster" validate -f . 2>&1
printf '%s\n' '' 'What starts, and with which podsets:'
"$muster" schedule -f . --until-idle -o wide 2>/dev/null |
  sed -n 's/^  admitted  *default\///p' |
  sed 's/  *team-cq  */: /; s/: cpu and memory on any-node//g'
printf '%s\n' '' 'A script with lines of #SBATCH is a job, too:'
"$muster" convert -f train.sbatch | "$muster" validate -f cluster.yaml -f - 2>&1
