#!/bin/sh
# Runs clang-tidy over every source of Muster that the build in directory $1 compiles.
#
#   cmake/clang_tidy.sh build/tsan
#
# The checks are in .clang-tidy; any finding makes the exit code 1. Tests are left to the compilers.
# The build must be one of clang without precompiled headers, and needs only be configured. Where it
# compiles several sources as one, they are read as one: that saves most of the time, which goes
# into headers.
set -eu
build=$1
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"

units=$(sed -n 's/^  "file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
  grep -E "^$top/($build/)?(engine|db|bindings|examples)/" |
  grep -vE '/(embedded|commit)\.cc$' || true)
[ -n "$units" ] || {
  echo "clang-tidy: $build/compile_commands.json knows none of the sources" >&2
  exit 1
}
# shellcheck disable=SC2016
printf '%s\n' "$units" |
  xargs -n 1 -P "$(nproc)" sh -c '
    found=$(clang-tidy --quiet -p "$0" "$1" 2>/dev/null) || {
      printf "%s\n" "$found"
      exit 1
    }' "$build" || exit 1
printf 'clang-tidy: %s units, nothing found\n' "$(printf '%s\n' "$units" | wc -l)"
