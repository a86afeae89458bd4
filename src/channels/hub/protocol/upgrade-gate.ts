import type { IncomingMessage, Server } from 'node:http';

const gates = new WeakMap<Server, Set<string>>();

/**
 * Lets a server leave HTTP for WebSocket requests to the hubs' paths only. Without it, Node treats every request with an
 * `Upgrade` header as one as soon as anybody listens for upgrades: bodies of clients that offer HTTP/2 that way (Java's
 * do by default) would be lost, and sockets upgraded on other paths would stay open.
 * Returns what ends it, after which such requests are answered like any other.
 */
export function allowUpgrades(server: Server, path: string): () => void {
  const paths = gates.get(server) ?? new Set<string>();
  gates.set(server, paths.add(path));
  // Node's own option of this name, which the server reads at each request; its types know it only as an option.
  Object.assign(server, { shouldUpgradeCallback: (request: IncomingMessage) => isAllowed(request, paths) });
  return () => {
    paths.delete(path);
  };
}

function isAllowed(request: IncomingMessage, paths: ReadonlySet<string>): boolean {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  return request.headers.upgrade?.toLowerCase() === 'websocket' && paths.has(path.replace(/\/$/, ''));
}
