import type { IncomingHttpHeaders } from 'node:http';

const key = /^[+/0-9A-Za-z]{22}==$/;
const versions: readonly unknown[] = ['13', '8'];
const token = "[\\w!#$%&'*+.^`|~-]+";
const subprotocols = new RegExp(`^${token}(?:[ \\t]*,[ \\t]*${token})*$`);

/**
 * The fault that keeps a request from becoming a WebSocket (RFC 6455, 4.2.1); undefined when there is none. `ws` makes the same checks, but
 * its answers bypass Fastify and lack the headers that every answer has.
 */
export function webSocketFault(headers: IncomingHttpHeaders): string | undefined {
  if (!key.test(headers['sec-websocket-key'] ?? '')) return 'Missing or invalid Sec-WebSocket-Key header';
  if (!versions.includes(headers['sec-websocket-version'])) return 'Missing or invalid Sec-WebSocket-Version header';
  const named = headers['sec-websocket-protocol'];
  return named === undefined || areSubprotocols(named) ? undefined : 'Invalid Sec-WebSocket-Protocol header';
}

function areSubprotocols(named: string): boolean {
  if (!subprotocols.test(named)) return false;
  const names = named.split(',').map((name) => name.trim());
  return new Set(names).size === names.length;
}
