#!/usr/bin/env bash
# Installs PostgreSQL, Redis, and the proxy nginx from the distribution. The tests start servers of their own with them, in folders of their
# own.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/installing.sh

has_postgres() { command -v initdb >/dev/null 2>&1 || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }

missing=()
has_postgres || missing+=(postgresql)
command -v redis-server >/dev/null 2>&1 || missing+=(redis-server)
command -v nginx >/dev/null 2>&1 || missing+=(nginx)
if [ "${#missing[@]}" -eq 0 ]; then
  echo 'PostgreSQL, Redis and nginx are here already.'
  exit 0
fi
need_debian 'PostgreSQL, Redis and nginx are installed on Debian only; any initdb, postgres, redis-server and nginx in the PATH will do.'
# The packages start a server each unless they are told not to.
policy=/usr/sbin/policy-rc.d
if [ "$(id -u)" -eq 0 ] && [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 0755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
install_packages "${missing[@]}"
echo "installed: ${missing[*]}"
