import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { Turn } from '../../core/turn/turn.ts';
import {
  type ApproveAnswer,
  type ApproveBody,
  approveBodySchema,
  type CancelAnswer,
  type CancelBody,
  cancelBodySchema,
} from '../../wire/control-bodies.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { requireJson } from '../shared/require-json.ts';

export interface ControlChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Assistant;
  readonly admission: Admission;
}

/** wire.md 1: the largest body of approve and cancel. */
const bodyLimit = 64 * 1024;

/** How long a Stop waits for the end of its turn: one that hangs is stopped all the same. */
const longestEndMs = 5_000;

/** `POST /helper/approve` and `POST /helper/cancel`: the user's answer and the user's Stop (wire.md 5). */
export const controlChannel: FastifyPluginCallback<ControlChannelOptions> = (app, options, done) => {
  const { assistant, basePath, admission } = options;
  const { security } = admission;
  const callerOf = (request: FastifyRequest): Principal => admission.identity.of(request).principal;
  admitRequests(app, admission);
  app.post<{ Body: ApproveBody }>(
    `${basePath}/helper/approve`,
    { schema: { body: approveBodySchema }, bodyLimit, onRequest: requireJson },
    async (request, reply): Promise<ApproveAnswer> => {
      void reply.header('cache-control', 'no-store');
      return answer(request);
    },
  );
  app.post<{ Body: CancelBody }>(
    `${basePath}/helper/cancel`,
    { schema: { body: cancelBodySchema }, bodyLimit, onRequest: requireJson },
    async (request, reply): Promise<CancelAnswer> => {
      void reply.header('cache-control', 'no-store');
      const { turn, stopped } = stop(request);
      if (stopped) await ended(turn);
      return { stopped };
    },
  );
  done();

  async function answer(request: FastifyRequest<{ Body: ApproveBody }>): Promise<ApproveAnswer> {
    const caller = callerOf(request);
    const presenter = security.presenterOf(caller, request.ip);
    try {
      return await assistant.answerConfirmation({ ...request.body, presenter, requestId: request.id }, caller);
    } catch (error) {
      const { actionId } = request.body;
      security.noteOwnerFault(request, error, { what: 'approve_refused', actionId });
      throw error;
    }
  }

  function stop(request: FastifyRequest<{ Body: CancelBody }>): StoppedTurn {
    const { body } = request;
    if ('turnId' in body) return stopTurn(request, body.turnId);
    const session = assistant.findSession(body.connectionId);
    if (session === undefined) throw new HelperError('unknown_connection', 'There is no connection with this id.');
    security.requireOwnSession(request, session, 'cancel_refused');
    return { turn: session.activeTurn, stopped: session.stop('user') };
  }

  function stopTurn(request: FastifyRequest, turnId: string): StoppedTurn {
    const caller = callerOf(request);
    try {
      const turn = assistant.findTurn(turnId, caller);
      const stopped = assistant.stopTurn(turnId, caller);
      if (stopped !== undefined) return { turn, stopped };
    } catch (error) {
      security.noteOwnerFault(request, error, { what: 'cancel_refused', turnId });
      throw error;
    }
    throw new HelperError('not_found', 'There is no turn with this id, or it is long over.');
  }
};

interface StoppedTurn {
  readonly turn: Turn | undefined;
  readonly stopped: boolean;
}

/** What was answered as stopped must not go on after a crash: the end of a turn that waited is durable once it has ended. */
async function ended(turn: Turn | undefined): Promise<void> {
  if (turn === undefined) return;
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<undefined>();
  const limit = setTimeout(() => {
    giveUp(undefined);
  }, longestEndMs);
  await Promise.race([turn.result, givenUp]);
  clearTimeout(limit);
}
