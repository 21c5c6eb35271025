#!/bin/sh
# Installs the Debian packages that building and testing Muster needs and this machine lacks.
#
#   cmake/deps.sh          what `make demo` and `make test` need
#   cmake/deps.sh --dev    also what `make check`, `make tidy` and `make format` need
#
# Asks dpkg first: when nothing is missing it is silent, takes milliseconds and needs no network.
set -eu

# package | why
packages='
g++                | the C++20 compiler
cmake              | configures the build (3.25 or newer)
ninja-build        | runs the build
pkg-config         | finds LuaJIT and libsodium
libluajit-5.1-dev  | runs policies written in Lua
libyaml-cpp-dev    | reads manifests
libyaml-dev        | reads the usual ones sooner
libsqlite3-dev     | keeps the ledger
libpq-dev          | keeps the ledger in PostgreSQL
robin-map-dev      | finds the digests of rows (headers alone)
libsodium-dev      | hashes of policies and of the ledger
libspdlog-dev      | keeps the log
nlohmann-json3-dev | reads and prints JSON
libcli11-dev       | parses the command line
libboost-dev       | speaks HTTP (Boost.Beast and Asio, headers alone)
libssl-dev         | speaks TLS
zlib1g-dev         | reads compressed logs of jobs
tzdata             | rules of the time zones that policies declare
libjemalloc-dev    | memory of the command and of the benchmarks
libgtest-dev       | tests (GoogleTest)
libgmock-dev       | tests (GoogleMock)
libbenchmark-dev   | benchmarks (Google Benchmark)
sqlite3            | damages ledgers for the tests
postgresql-15      | keeps ledgers in the tests, in a temporary directory
openssl            | makes certificates for the tests
python3            | tests of the source tree itself
lua-busted         | tests of policies outside the engine
luajit             | runs them
lua-check          | lint of policies, which is one of the tests
python3-pytest     | tests of the Python package
python3-pandas     | makes DataFrames in the tests
python3-matplotlib | draws pictures in the tests
lua-dkjson         | the Lua module reads and writes JSON with it
lua5.1             | runs the tests of the Lua module
lua5.3             | runs them
lua5.4             | runs them
liblua5.1-0-dev    | compiles the Lua module for it
liblua5.3-dev      | compiles it
liblua5.4-dev      | compiles it
abigail-tools      | compares the binary interface of the C library with the stored one
python3-jsonschema | holds the examples of the wire against its schema
python3-yaml       | reads openapi.yaml in the tests of the service
python3-hypothesis | makes requests of what openapi.yaml describes
'
dev_packages='
clang              | the second compiler, and the one with the sanitizers
libclang-rt-14-dev | AddressSanitizer, UndefinedBehaviorSanitizer, ThreadSanitizer
clang-tidy         | static analysis
lld                | links programs with sanitizers in a quarter of the time
clang-format       | layout of the sources
valgrind           | instruction counts and memory checks without a rebuild
shellcheck         | lint for shell scripts
ccache             | makes the second build quick
dpkg-dev           | finds what the Debian packages link
python3-pip        | makes the wheel of the Python package
python3-venv       | installs the wheel apart, in its test
mypy               | holds the types of the Python package and of its tests
lintian            | finds what Debian would not take of a package
mmdebstrap         | makes the root that packages are installed into at night
chromium           | shows the page of the service in its tests
chromium-driver    | lets a program use it
python3-selenium   | is that program
zsh                | completes in the test of its completion
fish               | the same
prometheus         | scrapes the service in its tests; promtool checks rules
luarocks           | makes the rock of the Lua module, in its test
patroni            | fails databases over in an example, at night
etcd-server        | keeps which of them leads
file               | tells which files of a package are programs and libraries
'
# The revision that closes CVE-2024-25176, -25177 and -25178, which a policy could reach.
luajit_package=libluajit-5.1-dev
luajit_at_least='2.1.0~beta3+git20220320+dfsg-4.1+deb12u1'
cmake_at_least='3.25'

say() { printf 'deps: %s\n' "$*"; }
fail() {
  printf 'deps: %s\n' "$*" >&2
  exit 1
}

# installed_version PACKAGE: prints its version, nothing when it is not installed.
installed_version() {
  dpkg-query --show --showformat='${db:Status-Abbrev}${Version}\n' "$1" 2>/dev/null |
    sed -n 's/^ii *//p' | head -n 1
}

# new_enough PACKAGE VERSION
new_enough() { dpkg --compare-versions "$(installed_version "$1")" ge "$2"; }

# too_old PACKAGE: true for an installed package below the version the project asks for.
too_old() {
  case $1 in
    "$luajit_package") ! new_enough "$1" "$luajit_at_least" ;;
    cmake) ! new_enough "$1" "$cmake_at_least" ;;
    *) false ;;
  esac
}

# Prints "PACKAGE | why" for each package of list $1 that is missing or too old.
lacking() {
  names=$(printf '%s\n' "$1" | sed -n 's/^\([^ |]*\) *|.*/\1/p')
  # One query for all of them; it fails as soon as one is unknown, which is not an error here.
  # shellcheck disable=SC2086
  present=$(dpkg-query --show --showformat='${db:Status-Abbrev} ${Package}\n' $names 2>/dev/null |
    sed -n 's/^ii *//p' || true)
  printf '%s\n' "$1" | sed '/^$/d' | while IFS= read -r line; do
    name=${line%% *}
    if ! printf '%s\n' "$present" | grep -qx -e "$name" || too_old "$name"; then
      printf '%s\n' "$line"
    fi
  done
}

case ${1-} in
  --dev) packages=$packages$dev_packages ;;
  '') ;;
  *) fail "unknown argument '$1'; write 'cmake/deps.sh' or 'cmake/deps.sh --dev'" ;;
esac

if ! command -v dpkg-query >/dev/null; then
  say 'not a Debian system, so nothing is checked or installed. Needed are:'
  printf '%s\n' "$packages" | sed '/^$/d; s/^/  /'
  exit 0
fi

wanted=$(lacking "$packages")
[ -n "$wanted" ] || exit 0

say 'these Debian packages are missing or too old and will be installed:'
printf '%s\n' "$wanted" | sed 's/^/  /'

as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null ||
    fail 'not root and no sudo; ask an administrator to install the packages above'
  as_root=sudo
fi
names=$(printf '%s\n' "$wanted" | cut -d ' ' -f 1)
$as_root apt-get update -qq || fail 'apt-get update failed; is the network up?'
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends \
  -o Dpkg::Use-Pty=0 $names >/dev/null || fail 'apt-get install failed; its reason is above'

for package in $luajit_package cmake; do
  if too_old "$package"; then
    fail "$package is $(installed_version "$package"), which is too old:" \
      "$luajit_package >= $luajit_at_least and cmake >= $cmake_at_least are needed;" \
      'on Debian 12, enable its security and point-release updates'
  fi
done
say 'done'
