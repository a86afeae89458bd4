import type { FastifyRequest } from 'fastify';
import { randomId } from '../../core/base/random-id.ts';
import { asObject } from '../shared/as-object.ts';

/** What the session id of a client begins with that has said that it can open addresses for its user. */
const opens = 'opens-addresses.';

/** The same of all other clients. */
const opensNone = 'client.';

/** Whether a message begins the dialogue of an older revision. */
export function isInitialize(body: unknown): boolean {
  return asObject(body)['method'] === 'initialize';
}

/** Whether this is the beginning with a client that can open addresses for its user. Only that message says what a client can do. */
export function canOpenAddresses(body: unknown): boolean {
  return isInitialize(body) && isUrlCapable(asObject(asObject(body)['params'])['capabilities']);
}

/** Whether the capabilities of a client have elicitation by address. */
export function isUrlCapable(capabilities: unknown): boolean {
  const url = asObject(asObject(capabilities)['elicitation'])['url'];
  return typeof url === 'object' && url !== null;
}

/**
 * The header by which a client of an older revision says with each request what it can do. It is a session id without a session: the id
 * itself says it. A client that makes one up is asked in a way that it may not understand, and no more.
 */
export function abilitiesHeader({ opensAddresses }: Abilities): readonly ['mcp-session-id', string] {
  return ['mcp-session-id', `${opensAddresses ? opens : opensNone}${randomId()}`];
}

/** What the session id of a request says. */
export function rememberedAbilities({ headers }: Pick<FastifyRequest, 'headers'>): Abilities {
  const id = headers['mcp-session-id'];
  return { opensAddresses: typeof id === 'string' && id.startsWith(opens) };
}

/** Whether a session id looks like those of `abilitiesHeader`. */
export function isOwnId(id: unknown): id is string {
  return typeof id === 'string' && /^(?:opens-addresses|client)\.[\w-]{22}$/.test(id);
}

interface Abilities {
  readonly opensAddresses: boolean;
}
