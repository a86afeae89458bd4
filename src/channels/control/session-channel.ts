import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import type { Session } from '../../core/sessions/session.ts';
import { maxSnapshotLength } from '../../core/ports/snapshot-sealer.ts';
import type { SessionSnapshots } from '../../core/sessions/snapshot/session-snapshots.ts';
import type { RestoredSession, SessionBody } from '../../wire/session-bodies.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { ownSession } from '../shared/own-session.ts';
import {
  checked,
  connectionHooks,
  connectionIdOf,
  type ConnectionsElsewhere,
} from '../shared/replicas/connections-elsewhere.ts';
import { requireJson } from '../shared/require-json.ts';
import { restoredSession } from '../shared/restored-session.ts';
import { restoreSchema, saveSchema } from './control-schemas.ts';
import { ResponsesInTurn } from './responses-in-turn.ts';

export interface SessionChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Pick<Assistant, 'findSession'>;
  readonly snapshots: SessionSnapshots;
  /** The connections of other replicas. Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  readonly admission: Admission;
}

/** Bytes of the longest snapshot and of the JSON around it. */
const bodyLimit = maxSnapshotLength + 1024;

/**
 * `GET` and `POST /helper/session`: saves the conversation of a connection and restores it (contract/sessions.md#snapshots). The owner is
 * checked before the body is read. Only one conversation of a connection is restored at a time.
 */
export const sessionChannel: FastifyPluginCallback<SessionChannelOptions> = (app, options, done) => {
  const path = `${options.basePath}/helper/session`;
  const uploads = new ResponsesInTurn();
  const saves = new ResponsesInTurn();
  admitRequests(app, options.admission);
  const isOwn = (request: FastifyRequest): void => {
    sessionOf(request, options);
  };
  const hooks = connectionHooks({ ...options, check: isOwn });
  app.get(
    path,
    {
      schema: saveSchema(options.admission),
      preParsing: hooks.preParsing,
      // The owner is checked first, before the query.
      preValidation: checked(isOwn),
      // A snapshot is large. Only one snapshot of a connection is made and read at a time.
      preHandler: (request, reply, next) => {
        saves.enter(sessionOf(request, options).id, reply, next);
      },
    },
    async (request, reply): Promise<SessionBody> => {
      void reply.header('cache-control', 'no-store');
      return { snapshot: await options.snapshots.save(sessionOf(request, options)) };
    },
  );
  app.post<{ Body: SessionBody }>(
    path,
    {
      schema: restoreSchema(options.admission),
      bodyLimit,
      onRequest: [requireJson, ...hooks.onRequest],
      preParsing: [
        ...hooks.preParsing,
        // A snapshot is large. Only one snapshot for a connection is read at a time; further requests wait before their bodies are read.
        // eslint-disable-next-line max-params -- Fastify's hook has four
        (request, reply, payload, next) => {
          uploads.enter(sessionOf(request, options).id, reply, () => {
            next(null, payload);
          });
        },
      ],
    },
    async (request, reply): Promise<RestoredSession> => {
      void reply.header('cache-control', 'no-store');
      // The owner is checked once more, because the connection may have ended while the body was read.
      const session = sessionOf(request, options);
      // The roles of this request count, because they may differ from the roles of the connection.
      const { principal } = options.admission.identity.of(request);
      return restoredSession(await options.snapshots.restore(session, request.body.snapshot, principal));
    },
  );
  done();
};

function sessionOf(request: FastifyRequest, options: SessionChannelOptions): Session {
  return ownSession(request, options, { connectionId: connectionIdOf(request), what: 'session_refused' });
}
