#!/usr/bin/env bash
# Installs the browser that test/browser uses, from the distribution's own packages. Where that is not possible it says
# SKIP and why, and succeeds: those tests are then skipped by name.
set -euo pipefail

for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then
    echo "Chromium is here already: $(command -v "$name")"
    exit 0
  fi
done

if ! command -v apt-get >/dev/null 2>&1; then
  echo "SKIP: this system has no apt-get; install Chromium by hand and set CHROMIUM_PATH."
  exit 0
fi
if ! grep -qi '^ID=debian' /etc/os-release 2>/dev/null; then
  echo "SKIP: Chromium is a plain package on Debian only; install it by hand and set CHROMIUM_PATH."
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "SKIP: installing packages needs root or sudo."
    exit 0
  fi
  as_root=(sudo)
fi

if ! "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=500 update; then
  echo "SKIP: the package lists cannot be fetched."
  exit 0
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get -o DPkg::Lock::Timeout=500 install -y --no-install-recommends chromium fonts-liberation
chromium --version 2>/dev/null || true
