#!/usr/bin/env bash
# A service for a minute: two teams, some jobs, and what Prometheus is told about them.
set -euo pipefail
cd "$(dirname "$0")"
muster=${MUSTER:-muster}
folder=$(mktemp -d)
service=
finish() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  wait
  [ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"
}
trap finish EXIT

: >"$folder/said" # before the first look at it
"$muster" serve --db "$folder/day.ledger" --listen 127.0.0.1:0 \
  >"$folder/said" 2>"$folder/log" &
service=$!
until grep -q listening "$folder/said"; do sleep 0.05; done
url=$(sed -n 's/^listening on //p' "$folder/said")

# ask METHOD PATH [FILE]: a request, its body from FILE; prints the answer.
ask() {
  python3 - "$url$2" "$1" "${3-}" <<'PYTHON'
import sys, urllib.request
url, method, file = sys.argv[1:]
body = open(file, "rb").read() if file else None
kind = {"Content-Type": "application/yaml"} if file else {}
request = urllib.request.Request(url, body, kind, method=method)
print(urllib.request.urlopen(request).read().decode())
PYTHON
}

ask POST /v1/apply ../fifty-data-scientists/queues.yaml >"$folder/applied"
ask POST /v1/submit ../fifty-data-scientists/jobs.yaml >"$folder/submitted"
until ask GET /metrics >"$folder/metrics" &&
  grep -q '^kueue_admitted_workloads_total' "$folder/metrics"; do sleep 0.05; done

echo 'Fifty jobs were submitted. What runs and what waits, as Prometheus is told:'
sleep 0.5
ask GET /metrics >"$folder/metrics"
grep -E '^kueue_(admitted_active|pending)_workloads' "$folder/metrics"
python3 -B check.py "$folder/metrics"
