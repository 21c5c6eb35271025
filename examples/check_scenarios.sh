#!/usr/bin/env bash
# Plays every scenario of an example with the manifests beside it and checks what it expects.
#
#   MUSTER=path/to/muster examples/check_scenarios.sh examples/production
set -euo pipefail
cd "$1"

# with SCENARIO: it and the files of the folder that hold no scenario, as one stream.
with() {
  local file
  for file in *.yaml; do
    if [ "$file" = "$1" ] || ! grep -q '^kind: Scenario' "$file"; then
      printf -- '---\n' && cat "$file"
    fi
  done
}

for scenario in *.yaml; do
  grep -q '^kind: Scenario' "$scenario" || continue
  printf '%s\n' "$scenario"
  with "$scenario" | "${MUSTER:-muster}" test -f -
done
