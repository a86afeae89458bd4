import type { RequestErrorCode } from '../errors/error-codes.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { RecordedEvent } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { ReleasedTurn } from '../turn/kept/drain.ts';
import type { FoundTurn } from '../turn/live/remote-turn.ts';
import type { Turn } from '../turn/live/turn.ts';

/*
 * What replicas tell each other about turns. The bus seals every message, so the shapes are those that a server of this version or of the
 * one before has written. They are looked at all the same.
 */

/** A principal as JSON. */
type SentPrincipal = Omit<Principal, 'roles'> & { readonly roles: readonly string[] };

/** The kinds of calls and streams. */
export const turnKinds = {
  find: 'turn.find',
  events: 'turn.events',
  result: 'turn.result',
  stop: 'turn.stop',
  stopOfUser: 'turn.stop-of-user',
  answer: 'turn.answer',
  handOut: 'turn.hand-out',
  transcript: 'turn.transcript',
  page: 'turn.page',
  released: 'turns.released',
  openConversations: 'conversations.open',
  forgetConversations: 'conversations.forget',
} as const;

/** What a replica answers: a value, or the fault that its own caller would have met. */
export type Answered =
  | { readonly value: unknown }
  | {
      readonly fault: {
        readonly code: RequestErrorCode;
        readonly message: string;
        readonly details: Readonly<Record<string, unknown>>;
        readonly retryAfterMs?: number | undefined;
      };
    };

/** Does the work for another replica. A fault that a caller may be told goes with the answer. */
export async function answered(work: () => Promise<unknown>): Promise<Answered> {
  try {
    return { value: (await work()) ?? null };
  } catch (error) {
    if (!(error instanceof HelperError)) throw error;
    const { code, message, details, retryAfterMs } = error;
    return { fault: { code, message, details, retryAfterMs } };
  }
}

/** The value of an answer. @throws HelperError the fault that the other replica has met. */
export function valueOf(answer: unknown): unknown {
  const given = object(answer);
  if (!('fault' in given)) return given['value'];
  const fault = object(given['fault']);
  const code = text(fault['code']) as RequestErrorCode; // by a replica of this server
  const retryAfterMs = fault['retryAfterMs'];
  throw new HelperError(code, text(fault['message']), {
    details: object(fault['details'] ?? {}),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
  });
}

/** A principal as another replica is sent it. */
export function sentPrincipal(principal: Principal): SentPrincipal {
  return { ...principal, roles: [...principal.roles] };
}

/** A principal that another replica has sent. @throws HelperError as `object`. */
export function readPrincipal(given: unknown): Principal {
  const sent = object(given);
  const roles = new Set(list(sent['roles']).map(text));
  const userKey = text(sent['userKey']);
  if (sent['kind'] === 'anonymous') return { kind: 'anonymous', userKey, roles };
  if (sent['kind'] !== 'signed-in') throw malformed();
  const { tenant } = sent;
  return {
    ...{ kind: 'signed-in', userKey, roles, id: text(sent['id']), name: text(sent['name']) },
    ...(tenant === undefined ? {} : { tenant: text(tenant) }),
    claims: object(sent['claims']),
  };
}

/** What another replica is told of a turn. */
export function sentTurn(turn: Turn): unknown {
  const { id, conversationId, channel, running, lastSeq, sources } = turn;
  const principal = sentPrincipal(turn.principal);
  return { id, conversationId, channel, running, lastSeq, sources, principal, readableAfter: readableAfter(turn) };
}

/** Turns that a replica has let go of, as the others are told them. */
export interface ReleasedIds {
  readonly turnIds: readonly string[];
  /** Those of them that nobody reads. */
  readonly unread: readonly string[];
}

/** Turns that this replica has let go of, as the others are told them. */
export function sentReleased(turns: readonly ReleasedTurn[]): ReleasedIds {
  const idsOf = (of: readonly ReleasedTurn[]): readonly string[] => of.map(({ turnId }) => turnId);
  return { turnIds: idsOf(turns), unread: idsOf(turns.filter(({ isRead }) => !isRead)) };
}

/** Turns that another replica has let go of. The version before has named none. @throws HelperError as `object`. */
export function readReleased(given: unknown): ReleasedIds {
  if (given === null) return { turnIds: [], unread: [] };
  const { turnIds, unread = [] } = object(given);
  return { turnIds: list(turnIds).map(text), unread: list(unread).map(text) };
}

/** A turn of another replica. @throws HelperError as `object`. */
export function readTurn(given: unknown): FoundTurn {
  const sent = object(given);
  return {
    id: text(sent['id']),
    conversationId: text(sent['conversationId']),
    principal: readPrincipal(sent['principal']),
    channel: text(sent['channel']) as FoundTurn['channel'], // by a replica of this server
    running: sent['running'] === true,
    lastSeq: whole(sent['lastSeq']),
    readableAfter: whole(sent['readableAfter']),
    sources: list(sent['sources']) as FoundTurn['sources'], // by a replica of this server
  };
}

/** Events as another replica is sent them. */
export function sentEvents(events: readonly RecordedEvent[]): unknown {
  return events.map(({ seq, type, json }) => [seq, type, json]);
}

/** Events that another replica has sent. @throws HelperError as `object`. */
export function readEvents(given: unknown): readonly RecordedEvent[] {
  return list(given).map((each) => {
    const [seq, type, json] = list(each);
    return { seq: whole(seq), type: text(type) as RecordedEvent['type'], json: text(json) }; // by a replica of this server
  });
}

/** @throws HelperError when another replica has sent something else. */
export function object(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return value as Readonly<Record<string, unknown>>; // as was just seen
}

/** @throws HelperError as `object`. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw malformed();
  return value;
}

/** @throws HelperError as `object`. */
export function whole(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw malformed();
  return value;
}

/** @throws HelperError as `object`. */
export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

/** The earliest event after which everything can still be read. What is gone is always the beginning. */
function readableAfter(turn: Turn): number {
  let [gone, there] = [-1, turn.lastSeq];
  while (there - gone > 1) {
    const middle = Math.floor((there + gone) / 2);
    if (turn.canReplay(middle)) there = middle;
    else gone = middle;
  }
  return there;
}

function malformed(): HelperError {
  return new HelperError('internal', 'A replica has sent something unknown: do all replicas have the same version?');
}
