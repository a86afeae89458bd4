import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { isOfConnection } from '../../core/memory/memory.ts';
import type { UserMemory } from '../../core/memory/user-memory.ts';
import type { Correction, RememberedFacts } from '../../wire/memory-bodies.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { ownSession } from '../shared/own-session.ts';
import {
  connectionHooks,
  connectionIdOf,
  type ConnectionsElsewhere,
} from '../shared/replicas/connections-elsewhere.ts';
import { requireJson } from '../shared/require-json.ts';
import { correctSchema, eraseSchema, listSchema } from './memory-schemas.ts';

export interface MemoryChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Pick<Assistant, 'findSession'>;
  readonly memory: UserMemory;
  /** `useMemoryContext`, as it is now. */
  readonly isOn: () => boolean;
  /** The connections of other replicas. Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  readonly admission: Admission;
}

/** Bytes (contract/addresses.md#requests). A correction is only one sentence. */
const bodyLimit = 64 * 1024;

interface Named {
  readonly id: string;
}

/**
 * `GET`, `PATCH` and `DELETE /helper/memory`: users see, correct and erase what is remembered about them (contract/memory.md#requests). The
 * owner is checked before the body is read.
 */
export const memoryChannel: FastifyPluginCallback<MemoryChannelOptions> = (app, options, done) => {
  const { admission, memory } = options;
  const path = `${options.basePath}/helper/memory`;
  admitRequests(app, admission);
  app.addHook('onRequest', (_request, reply, next) => {
    void reply.header('cache-control', 'no-store');
    next();
  });
  const hooks = connectionHooks({
    ...options,
    check: (request) => {
      keyOf(request, options);
    },
  });
  app.get(path, { schema: listSchema(admission), ...hooks }, async (request): Promise<RememberedFacts> => {
    const facts = await memory.facts(keyOf(request, options));
    return {
      facts: facts.map(({ id, kind, text, at, conversationId }) => ({
        ...{ id, kind, text, at: new Date(at).toISOString() },
        ...(conversationId === '' ? {} : { conversationId }),
      })),
    };
  });
  app.patch<{ Body: Correction; Querystring: Named }>(
    path,
    { schema: correctSchema(admission), bodyLimit, ...hooks, onRequest: [requireJson, ...hooks.onRequest] },
    async (request, reply): Promise<void> => {
      await memory.correct(keyOf(request, options), request.query.id, request.body.text);
      void reply.code(204);
    },
  );
  app.delete<{ Querystring: Partial<Named> }>(
    path,
    { schema: eraseSchema(admission), ...hooks },
    async (request, reply): Promise<void> => {
      requireKnown(request.query);
      const { id } = request.query;
      const userKey = keyOf(request, options);
      await (id === undefined ? memory.eraseAll(userKey) : memory.erase(userKey, id));
      void reply.code(204);
    },
  );
  done();
};

/** Refuses unknown parameters, because a misspelt parameter must not erase everything. @throws HelperError `invalid_request`. */
function requireKnown(query: object): void {
  const unknown = Object.keys(query).find((name) => name !== 'id' && name !== 'connectionId');
  if (unknown !== undefined)
    throw new HelperError('invalid_request', `There is no parameter ${JSON.stringify(unknown)}. Erase by id, or all.`);
}

/** The key of the caller's own memory. @throws HelperError for a caller who has none, or names a connection of somebody else. */
function keyOf(request: FastifyRequest, options: MemoryChannelOptions): string {
  const { admission, isOn } = options;
  if (!isOn()) throw new HelperError('not_found', 'This server remembers nothing (useMemoryContext).');
  const { principal } = admission.identity.of(request);
  // An anonymous caller has a memory only when the key belongs to a connection.
  if (principal.kind === 'anonymous' && !isOfConnection(principal.userKey)) {
    throw new HelperError(
      'forbidden',
      'This memory is shared by everybody who is not signed in: sign in to have your own.',
    );
  }
  const { connectionId } = request.query as Readonly<Record<string, unknown>>; // Fastify's parser makes an object
  if (connectionId === undefined && principal.kind === 'signed-in') return principal.userKey;
  const named = { connectionId: connectionIdOf(request), what: 'memory_refused' } as const;
  return ownSession(request, options, named).principal.userKey;
}
