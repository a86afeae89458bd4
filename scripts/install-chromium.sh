#!/usr/bin/env bash
# Installs the browser that test/browser uses.
set -euo pipefail
. "$(dirname "$0")/installing.sh"

for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then
    echo "Chromium is here already: $(command -v "$name")"
    exit 0
  fi
done
need_debian 'Chromium is a plain package on Debian only; install it by hand and set CHROMIUM_PATH.'
install_packages chromium fonts-liberation
chromium --version 2>/dev/null || true
