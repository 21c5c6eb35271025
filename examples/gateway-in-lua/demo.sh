#!/usr/bin/env bash
# Runs the gateway under LuaJIT, kills it between acting on a decision and acknowledging it, and
# runs it again under Lua 5.4. Uses the module that the build has put beside $MUSTER, where there
# is one.
set -euo pipefail
cd "$(dirname "$0")"
muster=$(command -v "${MUSTER:-muster}")
folder=$(mktemp -d)
trap '[ "${MUSTER_DEMO_KEEPS-}" ] || rm -rf "$folder"' EXIT

build=$(dirname "$(dirname "$muster")")
if [ -d "$build/lua" ]; then
  export MUSTER_LIBRARY=$build/bindings/c/libmuster.so.1
  export LUA_PATH="../../bindings/lua/?.lua;;" LUA_CPATH="$build/lua/5.4/?.so;;"
fi
ledger=$folder/day.ledger

luajit gateway.lua "$ledger" queues.yaml 1 || echo "killed, exit code $?"
"$muster" get consumers --db "$ledger"
echo 'started again'
lua5.4 gateway.lua "$ledger" queues.yaml
"$muster" get consumers --db "$ledger"
"$muster" ledger verify "$ledger" --replay | sed "s|$folder/||; s/, [0-9].*//; s/: [0-9].*//"
