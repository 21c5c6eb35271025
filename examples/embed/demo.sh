#!/usr/bin/env bash
# Runs the gateway, which the build puts beside $MUSTER.
set -euo pipefail
cd "$(dirname "$0")"
muster=$(command -v "${MUSTER:-muster}")
"$(dirname "$muster")/example_embed" queues.yaml
