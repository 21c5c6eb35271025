#!/bin/sh
# Runs clang-tidy over every source of Muster that the build in directory $1 compiles.
#
#   cmake/clang_tidy.sh build/tsan
#
# The checks are in .clang-tidy; any finding makes the exit code 1. Tests are left to the compilers.
set -eu
build=$1
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"

# The build must be one of clang without precompiled headers: it need not have been built.
sources=$(git ls-files 'engine/*.cc' 'db/*.cc' 'bindings/*.cc' 'examples/*.cc' |
  while IFS= read -r file; do
    if grep -qF "$top/$file\"" "$build/compile_commands.json"; then printf '%s\n' "$file"; fi
  done)
[ -n "$sources" ] || {
  echo "clang-tidy: $build/compile_commands.json knows none of the sources" >&2
  exit 1
}
# shellcheck disable=SC2016
printf '%s\n' "$sources" |
  xargs -n 1 -P "$(nproc)" sh -c '
    found=$(clang-tidy --quiet -p "$0" "$1" 2>/dev/null) || {
      printf "%s\n" "$found"
      exit 1
    }' "$build" || exit 1
printf 'clang-tidy: %s sources, nothing found\n' "$(printf '%s\n' "$sources" | wc -l)"
