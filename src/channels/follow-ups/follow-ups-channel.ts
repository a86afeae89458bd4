import type { FastifyPluginCallback, FastifyRequest, FastifySchema } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import type { Session } from '../../core/sessions/session.ts';
import { type FollowUpsBody, followUpsBodySchema } from '../../wire/follow-ups-body.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';
import { overSignal } from '../shared/once-over.ts';
import { ownSession } from '../shared/own-session.ts';
import {
  checked,
  connectionHooks,
  connectionIdOf,
  type ConnectionsElsewhere,
} from '../shared/replicas/connections-elsewhere.ts';

export interface FollowUpsChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Pick<Assistant, 'findSession' | 'followUps'>;
  /** The connections of other replicas. Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  readonly admission: Admission;
}

/** Nobody reads the answer of a request whose line is gone. */
const unread: FollowUpsBody = { messages: [], pages: [] };

/** `GET /helper/follow-ups`: what the user of a connection could say next (contract/sessions.md#follow-ups). */
export const followUpsChannel: FastifyPluginCallback<FollowUpsChannelOptions> = (app, options, done) => {
  admitRequests(app, options.admission);
  const isOwn = (request: FastifyRequest): void => {
    sessionOf(request, options);
  };
  const { preParsing } = connectionHooks({ ...options, check: isOwn });
  app.get(
    `${options.basePath}/helper/follow-ups`,
    // The owner is checked first, before the query.
    { schema: followUpsSchema(options.admission), preParsing, preValidation: checked(isOwn) },
    async (request, reply): Promise<FollowUpsBody> => {
      void reply.header('cache-control', 'no-store');
      const gone = overSignal(reply);
      try {
        return await options.assistant.followUps(sessionOf(request, options), gone);
      } catch (error) {
        if (gone.aborted) return unread;
        throw error;
      }
    },
  );
  done();
};

function sessionOf(request: FastifyRequest, options: FollowUpsChannelOptions): Session {
  return ownSession(request, options, { connectionId: connectionIdOf(request), what: 'session_refused' });
}

function followUpsSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'suggestFollowUps',
    tag: 'Chat',
    summary: 'What the user could say next',
    description: 'After an answer; empty while a turn runs. May ask a model. Closing the request stops that.',
    security: securityOf(identity),
    querystring: {
      type: 'object',
      required: ['connectionId'],
      properties: {
        connectionId: { type: 'string', maxLength: 200, description: 'Of the hub, as `Connected` tells it.' },
      },
    },
    answers: {
      200: { description: 'At most three in all.', type: 'application/json', schema: followUpsBodySchema },
    },
    faults: [
      'invalid_request',
      'unauthenticated',
      'forbidden',
      'not_owner',
      'unknown_connection',
      'rate_limited',
      'overloaded',
      'cluster_unavailable',
      'internal',
    ],
  });
}
