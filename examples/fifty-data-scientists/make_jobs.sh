#!/usr/bin/env bash
# Prints jobs.yaml: a job from each of fifty people. Team A has forty, whose jobs take one GPU;
# team B has ten, whose jobs take two. Of every five jobs one has a deadline, three are normal, and
# one can run whenever there is room.
#
#   ./make_jobs.sh > jobs.yaml
set -euo pipefail
classes=(deadline whenever normal normal normal)

# template ANCHOR GPUS: the spec of a team's jobs, to be named again as *ANCHOR.
template() {
  cat <<YAML
  spec: &$1
    template:
      spec:
        containers:
        - {name: train, image: registry.internal/train, resources: {limits: {nvidia.com/gpu: $2}}}
        restartPolicy: Never
YAML
}

printf '# Made by make_jobs.sh: the jobs of fifty data scientists.\n'
printf 'apiVersion: v1\nkind: List\nitems:\n'
for i in {1..50}; do
  team=$([ "$i" -le 40 ] && echo a || echo b)
  printf -- '- apiVersion: batch/v1\n  kind: Job\n  metadata:\n    name: scientist-%02d\n' "$i"
  printf '    namespace: team-%s\n    labels: {kueue.x-k8s.io/queue-name: jobs, ' "$team"
  printf 'kueue.x-k8s.io/priority-class: %s}\n' "${classes[i % 5]}"
  case $i in
    1) template one-gpu 1 ;;
    41) template two-gpus 2 ;;
    *) printf '  spec: *%s\n' "$([ "$team" = a ] && echo one-gpu || echo two-gpus)" ;;
  esac
done
