#!/usr/bin/env bash
# Puts promtool, with which the tests play the alerts, into .cache/promtool. The script takes it out of the distribution's package of
# Prometheus and installs no package.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/installing.sh

folder=.cache/promtool

if command -v promtool >/dev/null 2>&1 || [ -x "$folder/promtool" ]; then
  echo 'promtool is here already.'
  exit 0
fi
need_debian 'promtool is a package on Debian only; any promtool in the PATH will do.'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Old package lists may name packages that the mirror no longer has.
if [ "$(id -u)" -eq 0 ]; then "${apt[@]}" update -qq || true; fi
# As root, apt fetches as another user, who needs to write here.
chmod 0777 "$work"
(cd "$work" && "${apt[@]}" download -qq prometheus >/dev/null) || skip 'the package of Prometheus cannot be fetched.'
mkdir -p "$folder"
dpkg-deb --fsys-tarfile "$work"/prometheus_*.deb | tar -x -O ./usr/bin/promtool >"$work/promtool"
chmod 0755 "$work/promtool"
mv "$work/promtool" "$folder/promtool"
"$folder/promtool" --version | head -1
