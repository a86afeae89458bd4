#!/usr/bin/env bash
# Installs what the tests of the chart render it with: Go and the libraries of Helm's template engine, from the distribution's
# own packages. Where that is not possible it says SKIP and why, and succeeds: those tests are then skipped by name.
set -euo pipefail

packages=(golang-go golang-github-masterminds-sprig-dev golang-github-xeipuuv-gojsonschema-dev golang-k8s-sigs-yaml-dev)

if dpkg --status "${packages[@]}" >/dev/null 2>&1; then
  echo "$(go version) and its libraries are here already."
  exit 0
fi
if ! grep -qi '^ID=debian' /etc/os-release 2>/dev/null; then
  echo "SKIP: the libraries are packages on Debian only."
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

if ! "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=500 update -qq; then
  echo "SKIP: the package lists cannot be fetched."
  exit 0
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get -o DPkg::Lock::Timeout=500 install -qq -y --no-install-recommends "${packages[@]}" >/dev/null
go version
