import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

type Upgrade = readonly [request: IncomingMessage, socket: Duplex, head: Buffer];

/** The path on which requests may become WebSockets, whether a request may do so now, and the function that takes its socket. */
export interface UpgradeRule {
  readonly path: string;
  readonly mayUpgrade: (request: IncomingMessage) => boolean;
  readonly upgrade: (...upgrade: Upgrade) => void;
}

/**
 * A server of Node with the function that Node calls for each request with an `Upgrade` header. The types know this function only as an
 * option.
 */
type GatedServer = Server & { shouldUpgradeCallback(request: IncomingMessage): boolean };

const gates = new WeakMap<Server, Set<UpgradeRule>>();

/**
 * Lets WebSocket requests to the hubs' paths leave HTTP. Without this gate, Node upgrades every request with an `Upgrade` header as soon as
 * there is a listener for upgrades. The bodies of clients that offer HTTP/2 in this way, as Java's do by default, would be lost. Sockets
 * upgraded on other paths, or by another method than GET, would stay open. Other listeners for upgrades work as before. Returns a function
 * that removes the rule; requests to the path are then answered like any other.
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
