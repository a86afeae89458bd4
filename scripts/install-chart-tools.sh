#!/usr/bin/env bash
# Installs Go and the libraries of Helm's template engine, with which the tests render the chart.
set -euo pipefail
. "$(dirname "$0")/installing.sh"

packages=(golang-go golang-github-masterminds-sprig-dev golang-github-xeipuuv-gojsonschema-dev golang-k8s-sigs-yaml-dev)

if dpkg --status "${packages[@]}" >/dev/null 2>&1; then
  echo "$(go version) and its libraries are here already."
  exit 0
fi
need_debian 'the libraries are packages on Debian only.'
install_packages "${packages[@]}"
go version
