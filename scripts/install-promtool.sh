#!/usr/bin/env bash
# Puts promtool, with which the tests play the alerts, into .cache/promtool. It comes out of the distribution's package of Prometheus;
# nothing is installed. Where that is not possible it says SKIP and why, and succeeds: those tests are then skipped by name.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.cache/promtool

if command -v promtool >/dev/null 2>&1 || [ -x "$folder/promtool" ]; then
  echo "promtool is here already."
  exit 0
fi
if ! grep -qi '^ID=debian' /etc/os-release 2>/dev/null; then
  echo "SKIP: promtool is a package on Debian only; any promtool in the PATH will do."
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The lists may be older than the packages that the mirror still has.
if [ "$(id -u)" -eq 0 ]; then apt-get -o DPkg::Lock::Timeout=500 update -qq || true; fi
# As root, apt fetches as a user of its own, who needs to write here.
chmod 0777 "$work"
if ! (cd "$work" && apt-get download -qq prometheus >/dev/null); then
  echo "SKIP: the package of Prometheus cannot be fetched."
  exit 0
fi
mkdir -p "$folder"
dpkg-deb --fsys-tarfile "$work"/prometheus_*.deb | tar -x -O ./usr/bin/promtool >"$work/promtool"
chmod 0755 "$work/promtool"
mv "$work/promtool" "$folder/promtool"
"$folder/promtool" --version | head -1
