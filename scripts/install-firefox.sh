#!/usr/bin/env bash
# Installs the Firefox in which `npm run test:long` plays tests of the widget.
set -euo pipefail
. "$(dirname "$0")/installing.sh"

if path=$(command -v firefox-esr || command -v firefox); then
  echo "Firefox is here already: $path"
  exit 0
fi
need_debian 'Firefox is a plain package on Debian only; install it by hand and set FIREFOX_PATH.'
install_packages firefox-esr
firefox-esr --version
