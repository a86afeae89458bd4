import type { FastifyRequest } from 'fastify';
import { randomId } from '../../core/base/random-id.ts';
import { asObject } from '../shared/as-object.ts';

/** What the session id of a client begins with that has said that it can open addresses for its user. */
const opens = 'opens-addresses.';

/**
 * Whether a message begins the dialogue of an older revision with a client that can open addresses for its user. Only this message says
 * what a client can do.
 */
export function canOpenAddresses(body: unknown): boolean {
  const message = asObject(body);
  if (message['method'] !== 'initialize') return false;
  return isUrlCapable(asObject(message['params'])['capabilities']);
}

/** Whether the capabilities of a client have elicitation by address. */
export function isUrlCapable(capabilities: unknown): boolean {
  const url = asObject(asObject(capabilities)['elicitation'])['url'];
  return typeof url === 'object' && url !== null;
}

/**
 * The header by which a client of an older revision says with each request what it can do. It is a session id without a session: this
 * server keeps nothing between two requests, so the id itself says it. A client that makes one up is asked in a way that it may not
 * understand, and no more.
 */
export function abilitiesHeader(): readonly ['mcp-session-id', string] {
  return ['mcp-session-id', `${opens}${randomId()}`];
}

/** What the session id of a request says. */
export function rememberedAbilities({ headers }: Pick<FastifyRequest, 'headers'>): {
  readonly opensAddresses: boolean;
} {
  const id = headers['mcp-session-id'];
  return { opensAddresses: typeof id === 'string' && id.startsWith(opens) };
}
