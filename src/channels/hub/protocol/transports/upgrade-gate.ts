import type { IncomingMessage, Server } from 'node:http';

const gates = new WeakMap<Server, Set<UpgradeRule>>();

/** Where requests may leave HTTP, and whether one of them may do so now. */
export interface UpgradeRule {
  readonly path: string;
  readonly mayUpgrade: (request: IncomingMessage) => boolean;
}

/**
 * Lets a server leave HTTP for WebSocket requests to the hubs' paths only. Without it, Node treats every request with an
 * `Upgrade` header as one as soon as anybody listens for upgrades: bodies of clients that offer HTTP/2 that way (Java's
 * do by default) would be lost, and sockets upgraded on other paths, or by another method than GET, would stay open.
 * Returns what ends it, after which such requests are answered like any other.
 */
export function allowUpgrades(server: Server, rule: UpgradeRule): () => void {
  const rules = gates.get(server) ?? new Set<UpgradeRule>();
  gates.set(server, rules.add(rule));
  // Node's own option of this name, which the server reads at each request; its types know it only as an option.
  Object.assign(server, { shouldUpgradeCallback: (request: IncomingMessage) => isAllowed(request, rules) });
  return () => {
    rules.delete(rule);
  };
}

function isAllowed(request: IncomingMessage, rules: ReadonlySet<UpgradeRule>): boolean {
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') return false;
  const path = ((request.url ?? '').split('?', 1)[0] ?? '').replace(/\/$/, '');
  return [...rules].some((rule) => rule.path === path && rule.mayUpgrade(request));
}
