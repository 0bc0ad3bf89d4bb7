#!/bin/sh
# Installs what the tests against a real authorization server need: glewlwyd, and Python's cryptography for its keys.
#
# Run as root; does nothing where the packages are there already. The packaged service is neither configured nor started
# nor enabled: glewlwyd.py runs the bare binary with a database of its own. Says nothing unless something fails.
set -eu

# dbconfig-no-thanks is the alternative of glewlwyd's dependency that sets no database up.
packages="glewlwyd dbconfig-no-thanks python3-cryptography"

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Another member of the dbconfig family serves as well: it is somebody's choice, and stays.
missing=""
for package in $packages; do
  [ "$package" = dbconfig-no-thanks ] && installed glewlwyd && continue
  installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "install.sh: missing packages:$missing: run it as root" >&2
  exit 1
fi

log=$(mktemp)
policy=/usr/sbin/policy-rc.d
ours=""
clean_up() {
  status=$?
  [ -z "$ours" ] || rm -f "$policy"
  [ "$status" -eq 0 ] || cat "$log" >&2
  rm -f "$log"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

export DEBIAN_FRONTEND=noninteractive
fresh=""
if ! installed glewlwyd; then
  fresh=yes
  echo 'glewlwyd glewlwyd/config_type select No configuration' | debconf-set-selections >>"$log" 2>&1
  if [ ! -e "$policy" ]; then
    # The maintainer scripts start the service at once, unless the policy of the machine forbids it (101).
    ours=yes
    printf '#!/bin/sh\ncase "$*" in *glewlwyd*) exit 101 ;; esac\n' >"$policy"
    chmod 755 "$policy"
  fi
fi

# Images without documentation drop the sample configuration, which the package's own script reads: --path-include.
install_missing() {
  apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 \
    -o Dpkg::Options::='--path-include=/usr/share/doc/glewlwyd/*' $missing
}
# The package lists of a fresh machine are absent, and those of an old one name files that are gone.
if ! install_missing >>"$log" 2>&1; then
  apt-get update -q >>"$log" 2>&1
  install_missing >>"$log" 2>&1
fi

if [ -n "$fresh" ]; then
  # Where a policy of somebody else's let it start after all.
  invoke-rc.d glewlwyd stop >>"$log" 2>&1 || true
  deb-systemd-helper disable glewlwyd.service >>"$log" 2>&1 || true
  update-rc.d glewlwyd disable >>"$log" 2>&1 || true
fi
