#!/usr/bin/env bash
# Two teams share four CPUs through the gateway: one borrows, the other takes its own back, and the
# gateway is killed on the way. The jobs are real processes.
set -euo pipefail
cd "$(dirname "$0")"
muster=$(command -v "${MUSTER:-muster}")
# Debian's Python, as in the tests. In the tree the package and its library are not installed.
python=/usr/bin/python3
if ! "$python" -c 'import muster' 2>/dev/null; then
  export PYTHONPATH=$PWD/../../bindings/python/src
  export MUSTER_LIBRARY=${MUSTER_LIBRARY:-$(dirname "$muster")/../bindings/c/libmuster.so}
fi
export PYTHONDONTWRITEBYTECODE=1
state=$(mktemp -d)
ledger=$state/ledger
gateway=

# leave: no process of the demo stays behind, also where it fails.
leave() {
  [ -z "$gateway" ] || kill_gateway
  local run
  for run in "$state"/runs/*; do
    # It writes how it ended; until then the folder stays.
    [ -e "$run/exit" ] || [ ! -e "$run/pid" ] || kill "$(cat "$run/pid")"
    until [ -e "$run/exit" ] || [ ! -e "$run/pid" ]; do sleep 0.1; done
  done
  rm -rf "$state"
}
trap leave EXIT

kill_gateway() {
  kill -9 "$gateway"
  wait "$gateway" 2>/dev/null || true
}
start_gateway() {
  "$python" gateway.py "$state" &
  gateway=$!
  until [ -S "$state/socket" ]; do
    kill -0 "$gateway" || { echo 'the gateway does not start' >&2; exit 1; }
    sleep 0.1
  done
}
submit() { "$python" submit.py "$state" "$@"; }
# until_state NAME STATE: waits for what the gateway's loop does, half a minute at most.
until_state() {
  local tries=0
  until "$muster" get wl --state "$2" --db "$ledger" 2>/dev/null | grep -q " $1 "; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "$1 does not become $2" >&2; exit 1; }
    sleep 0.1
  done
  echo "$1 is $2"
}

start_gateway
submit team-a/borrows 4 sleep 600
until_state borrows admitted
echo
echo 'team-b wants its two CPUs back:'
submit team-b/owns 2 sleep 600
until_state owns admitted
until_state borrows pending
echo
echo 'The gateway is killed; the processes of its jobs go on, and a client asks again.'
kill_gateway
rm "$state/socket"
start_gateway
submit team-b/owns 2 sleep 600
echo
echo 'The job of team-b ends, and the other one runs again:'
running=$(grep -l '"team-b/owns"' "$state"/runs/*/job)
kill "$(cat "$(dirname "$running")/pid")"
until_state owns finished
until_state borrows admitted
until [ "$(cat "$state"/runs/*/pid | wc -l)" = 3 ]; do sleep 0.1; done
echo
"$muster" ledger verify "$ledger" --replay | sed "s|$state/||; s/, [0-9].*//; s/: [0-9].*//"
