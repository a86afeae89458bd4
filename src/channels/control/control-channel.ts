import type { FastifyPluginCallback } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { anonymousPrincipal } from '../../core/identity/principal.ts';
import {
  type ApproveAnswer,
  type ApproveBody,
  approveBodySchema,
  type CancelAnswer,
  type CancelBody,
  cancelBodySchema,
} from '../../wire/control-bodies.ts';
import type { CrossOriginGuard } from '../shared/cross-origin.ts';

export interface ControlChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Assistant;
  readonly guard: CrossOriginGuard;
}

/** wire.md 1: the largest body of approve and cancel. */
const bodyLimit = 64 * 1024;

/** `POST /helper/approve` and `POST /helper/cancel`: the user's answer and the user's Stop (wire.md 5). */
export const controlChannel: FastifyPluginCallback<ControlChannelOptions> = (app, options, done) => {
  const { assistant, basePath } = options;
  app.addHook('onRequest', (request, _reply, next) => {
    options.guard(request);
    next();
  });
  app.post<{ Body: ApproveBody }>(
    `${basePath}/helper/approve`,
    { schema: { body: approveBodySchema }, bodyLimit },
    async (request, reply): Promise<ApproveAnswer> => {
      void reply.header('cache-control', 'no-store');
      return assistant.answerConfirmation(request.body, anonymousPrincipal(request.id));
    },
  );
  app.post<{ Body: CancelBody }>(
    `${basePath}/helper/cancel`,
    { schema: { body: cancelBodySchema }, bodyLimit },
    (request, reply): CancelAnswer => {
      void reply.header('cache-control', 'no-store');
      return { stopped: stop(assistant, request.body) };
    },
  );
  done();
};

function stop(assistant: Assistant, body: CancelBody): boolean {
  if ('turnId' in body) {
    const stopped = assistant.stopTurn(body.turnId);
    if (stopped === undefined) throw new HelperError('not_found', 'There is no turn with this id, or it is long over.');
    return stopped;
  }
  const session = assistant.findSession(body.connectionId);
  if (session === undefined) throw new HelperError('unknown_connection', 'There is no connection with this id.');
  return session.stop('user');
}
