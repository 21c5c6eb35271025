#!/usr/bin/env bash
# Two gateways on one database: what is killed, what answers next, and that nothing was lost.
set -euo pipefail
cd "$(dirname "$0")"
if [ ! -x /usr/lib/postgresql/15/bin/initdb ]; then
  echo 'PostgreSQL 15 is not installed; cmake/deps.sh installs it' >&2
  exit 1
fi
python3 -B ha.py
