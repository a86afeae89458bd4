import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

type Upgrade = readonly [request: IncomingMessage, socket: Duplex, head: Buffer];

/** Where requests may leave HTTP, whether one of them may do so now, and who takes it then. */
export interface UpgradeRule {
  readonly path: string;
  readonly mayUpgrade: (request: IncomingMessage) => boolean;
  readonly upgrade: (...upgrade: Upgrade) => void;
}

/** What Node asks at each request with an `Upgrade` header; its types know it only as an option. */
type GatedServer = Server & { shouldUpgradeCallback(request: IncomingMessage): boolean };

const gates = new WeakMap<Server, Set<UpgradeRule>>();

/**
 * Lets a server leave HTTP for WebSocket requests to the hubs' paths. Without it, Node treats every request with an
 * `Upgrade` header as one as soon as anybody listens for upgrades: bodies of clients that offer HTTP/2 that way (Java's
 * do by default) would be lost, and sockets upgraded on other paths, or by another method than GET, would stay open.
 * Whoever else listens for upgrades of the server goes on as before. Returns what ends it, after which requests to the path are
 * answered like any other.
 */
export function allowUpgrades(server: Server, rule: UpgradeRule): () => void {
  const rules = gates.get(server) ?? openGate(server);
  rules.add(rule);
  return () => {
    rules.delete(rule);
  };
}

function openGate(server: Server): Set<UpgradeRule> {
  const rules = new Set<UpgradeRule>();
  gates.set(server, rules);
  const own = (...upgrade: Upgrade): void => {
    ruleFor(upgrade[0], rules)?.upgrade(...upgrade);
  };
  const gated = server as GatedServer; // every server of Node has it
  const before = gated.shouldUpgradeCallback.bind(server);
  const othersListen = (): boolean => server.listeners('upgrade').some((listener) => listener !== own);
  gated.shouldUpgradeCallback = (request) => {
    const rule = ruleFor(request, rules);
    return rule === undefined ? othersListen() && before(request) : rule.mayUpgrade(request);
  };
  server.on('upgrade', own);
  return rules;
}

function ruleFor(request: IncomingMessage, rules: ReadonlySet<UpgradeRule>): UpgradeRule | undefined {
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  const path = ((request.url ?? '').split('?', 1)[0] ?? '').replace(/\/$/, '');
  return [...rules].find((rule) => rule.path === path);
}
