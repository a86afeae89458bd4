import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import type { ConfirmationState } from '../../core/confirmations/confirmation-state.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { isDeeperThan, maxArgumentLevels } from '../../core/base/json-depth.ts';
import type { ApproveAnswer, ApproveBody, CancelAnswer, CancelBody } from '../../wire/control-bodies.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { ownSession } from '../shared/own-session.ts';
import type { ConnectionsElsewhere } from '../shared/replicas/connections-elsewhere.ts';
import { requireJson } from '../shared/require-json.ts';
import { approveSchema, cancelSchema, confirmationSchema } from './control-schemas.ts';

export interface ControlChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Assistant;
  /** The connections of other replicas. Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  readonly admission: Admission;
}

/** contract/addresses.md#requests: the largest body of approve and cancel. */
const bodyLimit = 64 * 1024;

/** `GET` and `POST /helper/approve`, `POST /helper/cancel`: the user's answer and the user's Stop (contract/confirmations.md#stop). */
export const controlChannel: FastifyPluginCallback<ControlChannelOptions> = (app, options, done) => {
  admitRequests(app, options.admission);
  app.addHook('onRequest', (_request, reply, next) => {
    void reply.header('cache-control', 'no-store');
    next();
  });
  approveRoutes(app, options);
  cancelRoute(app, options);
  done();
};

function approveRoutes(app: FastifyInstance, { assistant, basePath, admission }: ControlChannelOptions): void {
  const { security, identity } = admission;
  const path = `${basePath}/helper/approve`;

  app.post<{ Body: ApproveBody }>(
    path,
    { schema: approveSchema(admission), bodyLimit, onRequest: requireJson },
    async (request): Promise<ApproveAnswer> => {
      const { body } = request;
      if (isDeeperThan(maxArgumentLevels, body.arguments)) throw tooDeep();
      const caller = identity.of(request).principal;
      const presenter = security.presenterOf(caller, request.ip);
      const answer = assistant.answerConfirmation({ ...body, presenter, requestId: request.id }, caller);
      return noted(request, body.actionId, answer);
    },
  );

  app.get<{ Querystring: { actionId: string } }>(
    path,
    { schema: confirmationSchema(admission) },
    async (request): Promise<ConfirmationState> => {
      const { actionId } = request.query;
      return noted(request, actionId, assistant.confirmation(actionId, identity.of(request).principal));
    },
  );

  /** Notes in the security log when a caller asks for a confirmation of somebody else. */
  async function noted<Result>(request: FastifyRequest, actionId: string, asked: Promise<Result>): Promise<Result> {
    try {
      return await asked;
    } catch (error) {
      security.noteOwnerFault(request, error, { what: 'approve_refused', actionId });
      throw error;
    }
  }
}

function cancelRoute(app: FastifyInstance, { assistant, basePath, elsewhere, admission }: ControlChannelOptions): void {
  const { security, identity } = admission;

  app.post<{ Body: CancelBody }>(
    `${basePath}/helper/cancel`,
    { schema: cancelSchema(admission), bodyLimit, onRequest: requireJson },
    async (request, reply): Promise<CancelAnswer | FastifyReply> =>
      (await isStoppedElsewhere(request, reply)) ? reply : { stopped: await stop(request) },
  );

  async function isStoppedElsewhere(
    request: FastifyRequest<{ Body: CancelBody }>,
    reply: FastifyReply,
  ): Promise<boolean> {
    const { body } = request;
    if (elsewhere === undefined || 'turnId' in body || assistant.findSession(body.connectionId) !== undefined)
      return false;
    return elsewhere.answers(body.connectionId, { request, reply, body: Buffer.from(JSON.stringify(body)) });
  }

  async function stop(request: FastifyRequest<{ Body: CancelBody }>): Promise<boolean> {
    const { body } = request;
    if ('turnId' in body) return stopTurn(request, body.turnId);
    const { connectionId } = body;
    return ownSession(request, { assistant, admission }, { connectionId, what: 'cancel_refused' }).stop('user');
  }

  async function stopTurn(request: FastifyRequest, turnId: string): Promise<boolean> {
    try {
      const stopped = await assistant.stopTurn(turnId, identity.of(request).principal);
      if (stopped !== undefined) return stopped;
    } catch (error) {
      security.noteOwnerFault(request, error, { what: 'cancel_refused', turnId });
      throw error;
    }
    throw new HelperError('not_found', 'There is no turn with this id, or it is long over.');
  }
}

/** A fault of the body's shape. It is answered before the confirmation is looked up (contract/addresses.md#requests). */
function tooDeep(): HelperError {
  return new HelperError('invalid_request', `arguments is nested deeper than ${String(maxArgumentLevels)} levels.`);
}
