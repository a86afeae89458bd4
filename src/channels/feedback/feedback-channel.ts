import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import type { OwnerFault } from '../../core/errors/error-codes.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Feedback } from '../../core/request/feedback.ts';
import type { ReplyRatings } from '../../core/sessions/reply-ratings.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { FeedbackBody } from '../../wire/feedback-body.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { overSignal } from '../shared/once-over.ts';
import { ownSession } from '../shared/own-session.ts';
import {
  connectionHooks,
  connectionIdOf,
  type ConnectionsElsewhere,
} from '../shared/replicas/connections-elsewhere.ts';
import { requireJson } from '../shared/require-json.ts';
import { feedbackSchema } from './feedback-schema.ts';

export interface FeedbackChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Pick<Assistant, 'findSession' | 'replicaOfTurn'>;
  readonly ratings: Pick<ReplyRatings, 'give'>;
  /** The connections of other replicas. Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  readonly admission: Admission;
}

/** Bytes. A rating is a few words. */
const bodyLimit = 16 * 1024;

/** `POST /helper/feedback`: what users think of replies (contract/sessions.md#ratings). */
export const feedbackChannel: FastifyPluginCallback<FeedbackChannelOptions> = (app, options, done) => {
  const { admission, assistant, ratings, elsewhere, basePath } = options;
  const { identity, security } = admission;
  admitRequests(app, admission);
  const hooks = connectionHooks({ ...options, check: (request) => void sessionOf(request, options) });
  app.post<{ Body: FeedbackBody }>(
    `${basePath}/helper/feedback`,
    { schema: feedbackSchema(admission), bodyLimit, ...hooks, onRequest: [requireJson, ...hooks.onRequest] },
    async (request, reply): Promise<FastifyReply> => {
      void reply.header('cache-control', 'no-store');
      const { body } = request;
      const given = {
        turnId: turnIdOf(body),
        feedback: feedbackOf(body),
        session: sessionOf(request, options),
        conversationId: body.conversationId,
      };
      if (await isAnsweredElsewhere(request, reply, given)) return reply;
      const { principal } = identity.of(request);
      let foreign: OwnerFault | undefined;
      await ratings
        .give(given, principal, (reason) => (foreign = reason))
        .catch((error: unknown) => {
          const told = foreign === undefined ? error : foreignTurn(foreign);
          security.noteOwnerFault(request, told, { what: 'feedback_refused', turnId: given.turnId });
          throw told;
        });
      return reply.code(204).send();
    },
  );
  done();

  /** A turn without a connection is rated where it has run. */
  async function isAnsweredElsewhere(
    request: FastifyRequest,
    reply: FastifyReply,
    { turnId, session }: { readonly turnId: string; readonly session: Session | undefined },
  ): Promise<boolean> {
    if (elsewhere === undefined || session !== undefined) return false;
    const gone = overSignal(reply);
    try {
      const find = (): Promise<string | undefined> => assistant.replicaOfTurn(turnId, gone);
      return await elsewhere.sends(find, { request, reply, body: Buffer.from(JSON.stringify(request.body)) });
    } catch (error) {
      // Nobody reads an answer.
      if (gone.aborted) return true;
      throw error;
    }
  }
};

/** The caller's own session that the query names. @throws HelperError when there is none, or it is another's. */
function sessionOf(request: FastifyRequest, options: FeedbackChannelOptions): Session | undefined {
  const connectionId = connectionIdOf(request);
  return connectionId === undefined
    ? undefined
    : ownSession(request, options, { connectionId, what: 'feedback_refused' });
}

/** The ids of replies of `/v1` are the id of the turn behind a word for their kind. */
function turnIdOf(body: FeedbackBody): string {
  return 'turnId' in body ? body.turnId : body.replyId.replace(/^(chatcmpl-|resp_|msg_)/, '');
}

/** The word without white space around it. @throws HelperError `invalid_request` for a word without a rating. */
function feedbackOf({ rating, comment = '' }: FeedbackBody): Feedback | undefined {
  const word = comment.trim();
  if (rating !== null) return { rating, ...(word === '' ? {} : { comment: word }) };
  if (word === '') return undefined;
  throw new HelperError('invalid_request', 'A rating that is taken back has no comment.');
}

function foreignTurn(fault: OwnerFault): HelperError {
  const text = fault === 'unauthenticated' ? 'This turn belongs to a signed-in user: sign in.' : undefined;
  return new HelperError(fault, text ?? 'This turn belongs to someone else.');
}
