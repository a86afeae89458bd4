#!/usr/bin/env bash
# Installs the browser that test/browser uses.
set -euo pipefail
. "$(dirname "$0")/installing.sh"

for name in chromium-headless-shell chromium chromium-browser google-chrome; do
  if path=$(command -v "$name"); then break; fi
done
if [ "${path##*/}" = chromium-headless-shell ]; then
  echo "Chromium's headless shell is here already: $path"
  exit 0
fi
# The tests also run in a whole Chromium, at four times the CPU time of a page.
if [ -n "$path" ]; then
  skip() {
    echo "Chromium is here already: $path"
    exit 0
  }
fi
need_debian 'Chromium is a plain package on Debian only; install it by hand and set CHROMIUM_PATH.'
install_packages chromium-headless-shell fonts-liberation || [ -n "$path" ]
chromium-headless-shell --version 2>/dev/null || true
