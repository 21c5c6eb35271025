#!/bin/sh
# Shows that the two commands of the README are all a new user needs: makes a bare Debian 12 with
# make, git and nothing else, clones this repository into it and runs them there.
#
#   tests/fresh/fresh_debian.sh            make demo, then make test
#   tests/fresh/fresh_debian.sh COMMAND    COMMAND instead, run in the clone
#
# Wants root, mmdebstrap, a few GiB where mktemp makes directories, and this machine's own Debian
# package sources, which the bare system uses too. Removes what it made.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
command=${1:-make demo && make test}

fail() {
  printf 'fresh_debian: %s\n' "$*" >&2
  exit 1
}
[ "$(id -u)" -eq 0 ] || fail 'run it as root'
command -v mmdebstrap >/dev/null || fail 'install mmdebstrap first'

# The Debian sources apt uses here, one `deb` line each; those of other vendors are left out.
# shellcheck disable=SC2016
sources=$(apt-get indextargets --format '$(ORIGIN) deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
  'Created-By: Packages' | sed -n 's/^Debian //p' | sort -u)
[ -n "$sources" ] || fail "apt knows no Debian sources; run 'apt-get update' first"

root=$(mktemp -d)
cleanup() {
  umount "$root/dev/pts" "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap cleanup EXIT INT TERM

printf '%s\n' "$sources" |
  mmdebstrap --variant=minbase --include=make,git,ca-certificates bookworm "$root" -
for file in /etc/resolv.conf /etc/hosts; do
  cp "$file" "$root$file"
done
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts"
mount -t devpts -o ptmxmode=0666 devpts "$root/dev/pts"

git clone -q --no-hardlinks "$top" "$root/root/muster"
if [ -d "$top/../shared" ]; then cp -r "$top/../shared" "$root/root/shared"; fi

printf 'fresh_debian: a bare system with %s packages; running: %s\n' \
  "$(chroot "$root" dpkg-query -W | wc -l)" "$command"
env -i HOME=/root TERM="${TERM:-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  chroot "$root" sh -c "cd ~/muster && $command" </dev/null
printf 'fresh_debian: it works\n'
