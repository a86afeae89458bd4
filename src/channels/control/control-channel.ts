import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { requireOwner } from '../../core/identity/owner-check.ts';
import type { Principal } from '../../core/identity/principal.ts';
import { isDeeperThan, maxArgumentLevels } from '../../core/json-depth.ts';
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
  const callerOf = (request: FastifyRequest): Principal => admission.identity.of(request).principal;
  admitRequests(app, admission);
  app.post<{ Body: ApproveBody }>(
    `${basePath}/helper/approve`,
    { schema: { body: approveBodySchema }, bodyLimit, onRequest: requireJson },
    async (request, reply): Promise<ApproveAnswer> => {
      void reply.header('cache-control', 'no-store');
      if (isDeeperThan(maxArgumentLevels, request.body.arguments)) throw tooDeep();
      return assistant.answerConfirmation(request.body, callerOf(request));
    },
  );
  app.post<{ Body: CancelBody }>(
    `${basePath}/helper/cancel`,
    { schema: { body: cancelBodySchema }, bodyLimit, onRequest: requireJson },
    async (request, reply): Promise<CancelAnswer> => {
      void reply.header('cache-control', 'no-store');
      const { turn, stopped } = stop(assistant, request.body, callerOf(request));
      if (stopped) await ended(turn);
      return { stopped };
    },
  );
  done();
};

/** A fault of the body's shape: it is told before anybody looks for the confirmation (wire.md 1). */
function tooDeep(): HelperError {
  return new HelperError('invalid_request', `arguments is nested deeper than ${String(maxArgumentLevels)} levels.`);
}

function stop(
  assistant: Assistant,
  body: CancelBody,
  caller: Principal,
): { readonly turn: Turn | undefined; readonly stopped: boolean } {
  if ('turnId' in body) {
    const turn = assistant.findTurn(body.turnId, caller);
    const stopped = assistant.stopTurn(body.turnId, caller);
    if (stopped === undefined) throw new HelperError('not_found', 'There is no turn with this id, or it is long over.');
    return { turn, stopped };
  }
  const session = assistant.findSession(body.connectionId);
  if (session === undefined) throw new HelperError('unknown_connection', 'There is no connection with this id.');
  requireOwner(session.principal, caller);
  return { turn: session.activeTurn, stopped: session.stop('user') };
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
