# Functions for scripts that install packages of the distribution: `. scripts/installing.sh`. A script that finds it cannot install a tool
# says SKIP and why, and succeeds. The tests that need the tool are then skipped by name. A script for which that is a fault defines its
# own `skip` afterwards.

apt=(apt-get -o DPkg::Lock::Timeout=500)

skip() {
  echo "SKIP: $1"
  exit 0
}

# Packages have other names on other systems. The argument says what to do there.
need_debian() {
  grep -qi '^ID=debian' /etc/os-release 2>/dev/null || skip "$1"
}

# Installs the packages as root or with sudo. Fails when the distribution does not install them.
install_packages() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || skip 'installing packages needs root or sudo.'
    as_root=(sudo)
  fi
  "${as_root[@]}" "${apt[@]}" update -qq || skip 'the package lists cannot be fetched.'
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -qq -y --no-install-recommends "$@" >/dev/null
}
