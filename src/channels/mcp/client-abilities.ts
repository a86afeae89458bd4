import type { FastifyRequest } from 'fastify';
import { randomId } from '../../core/base/random-id.ts';
import { asObject } from '../shared/as-object.ts';

/** What the session id of a client begins with that has said that it can open addresses for its user. */
const opens = 'opens-addresses.';

/** The same of all other clients. */
const opensNone = 'client.';

/** The most characters of a program's name in a session id, so that the whole has 64 at most. */
const longestName = 24;

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
export function abilitiesHeader({ opensAddresses, program }: Abilities): readonly ['mcp-session-id', string] {
  const name = program === undefined ? '' : `.${program}`;
  return ['mcp-session-id', `${opensAddresses ? opens : opensNone}${randomId()}${name}`];
}

/** The name of the program that begins a dialogue, in the characters of an id. Undefined where it has none in them. */
export function programIn(body: unknown): string | undefined {
  const { title, name } = asObject(asObject(asObject(body)['params'])['clientInfo']);
  const said = nameOfProgram({ title, name })
    ?.replace(/[^\w-]+/g, '-')
    .slice(0, longestName);
  return said === undefined || /^-*$/.test(said) ? undefined : said;
}

/** The name by which a program calls itself, as one to show to its user. */
export function nameOfProgram({
  title,
  name,
}: {
  readonly title?: unknown;
  readonly name?: unknown;
}): string | undefined {
  return [title, name].find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

/** What the session id of a request says. */
export function rememberedAbilities({ headers }: Pick<FastifyRequest, 'headers'>): Abilities {
  const id = headers['mcp-session-id'];
  const isText = typeof id === 'string';
  return {
    opensAddresses: isText && id.startsWith(opens),
    program: isText && isOwnId(id) ? id.split('.')[2] : undefined,
  };
}

/** Whether a session id looks like those of `abilitiesHeader`. */
export function isOwnId(id: unknown): id is string {
  return typeof id === 'string' && /^(?:opens-addresses|client)\.[\w-]{22}(?:\.[\w-]{1,24})?$/.test(id);
}

interface Abilities {
  readonly opensAddresses: boolean;
  /** What the program calls itself. */
  readonly program?: string | undefined;
}
