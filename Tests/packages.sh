#!/bin/sh
# Installs the Debian packages that a purpose needs, where they are missing: packages.sh build|demo|test
#
# Says and does nothing where all are there. Without root (or sudo that asks nothing) it names what is missing.
set -eu

build="make git pkg-config libsecret-1-dev libcurl4-openssl-dev"
demo="$build dbus gnome-keyring libsecret-tools curl"
test="$demo bash zsh fish mandoc groff python3 openssl procps valgrind"
case "${1:-}" in
  build) packages=$build ;;
  demo) packages=$demo ;;
  test) packages=$test ;;
  *) echo "usage: packages.sh build|demo|test" >&2; exit 2 ;;
esac

command -v swift >/dev/null || {
  echo "packages.sh: there is no swift here: install Swift 6.2 or later from https://www.swift.org/install/linux" >&2
  exit 1
}

missing=""
for package in $packages; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  echo "packages.sh: missing packages; install them: sudo apt-get install --no-install-recommends$missing" >&2
  exit 1
fi
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  $as_root apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 $missing >"$log" 2>&1
}
# The package lists of a fresh machine are absent, and those of an old one name files that are gone.
install || { $as_root apt-get update -q >"$log" 2>&1 && install; } || { cat "$log" >&2; exit 1; }
