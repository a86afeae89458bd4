import type { FastifyPluginCallback, FastifyReply, preHandlerHookHandler } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { plainTitle } from '../../core/conversations/title-of.ts';
import type { ReadConversation, UserConversations } from '../../core/sessions/user-conversations.ts';
import type { ConversationAnswer, ConversationsAnswer, RenameBody } from '../../wire/conversation-bodies.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { requireJson } from '../shared/require-json.ts';
import { deleteSchema, listSchema, readSchema, renameSchema, signedIn } from './conversation-schemas.ts';
import { ResponsesInTurn } from './responses-in-turn.ts';
import { readPlace, writePlace } from './page-place.ts';

export interface ConversationsChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly conversations: UserConversations;
  readonly admission: Admission;
}

interface OfOne {
  readonly Params: { readonly id: string };
}

/** Longest body of a title. */
const bodyLimit = 4 * 1024;

/** `/helper/conversations`: a signed-in user's own kept conversations (contract/sessions.md#kept-conversations). */
export const conversationsChannel: FastifyPluginCallback<ConversationsChannelOptions> = (app, options, done) => {
  const { conversations, admission, basePath } = options;
  const { identity } = admission;
  const list = `${basePath}/helper/conversations`;
  const one = `${list}/:id`;
  const reads = new ResponsesInTurn();
  admitRequests(app, { ...admission, authorization: signedIn });
  app.addHook('onRequest', (_request, reply, next) => {
    void reply.header('cache-control', 'no-store');
    next();
  });

  app.get<{ Querystring: { readonly before?: string; readonly limit?: string } }>(
    list,
    { schema: listSchema(admission) },
    async (request): Promise<ConversationsAnswer> => {
      const { before, limit = '50' } = request.query;
      const { userKey } = identity.of(request).principal;
      const place = before === undefined ? undefined : readPlace(before);
      const page = await conversations.page(userKey, place, Number(limit));
      return {
        conversations: page.conversations.map(({ id, title, startedAt, lastAt }) => ({
          id,
          title,
          startedAt: timeOf(startedAt),
          lastAt: timeOf(lastAt),
        })),
        ...(page.next === undefined ? {} : { next: writePlace(page.next) }),
      };
    },
  );

  // A conversation is large. Only one of a user is opened and read at a time.
  const inTurn: preHandlerHookHandler = (request, reply, next) => {
    reads.enter(identity.of(request).principal.userKey, reply, next);
  };
  app.get<OfOne>(
    one,
    { schema: readSchema(admission), preHandler: inTurn },
    async (request): Promise<ConversationAnswer> =>
      answerOf(await conversations.read(identity.of(request).principal, request.params.id)),
  );

  app.patch<OfOne & { Body: RenameBody }>(
    one,
    { schema: renameSchema(admission), bodyLimit, onRequest: requireJson },
    async (request, reply): Promise<FastifyReply> => {
      const title = plainTitle(request.body.title);
      if (title === '') throw new HelperError('invalid_request', 'title has no visible character.');
      await conversations.rename(identity.of(request).principal.userKey, request.params.id, title);
      return reply.code(204).send();
    },
  );

  app.delete<OfOne>(one, { schema: deleteSchema(admission) }, async (request, reply): Promise<FastifyReply> => {
    await conversations.delete(identity.of(request).principal.userKey, request.params.id);
    return reply.code(204).send();
  });
  done();
};

function answerOf({ id, title, messages }: ReadConversation): ConversationAnswer {
  return {
    id,
    title,
    messages: messages.map(({ role, text, at, turnId, feedback, receipts }) => ({
      role,
      text,
      at: timeOf(at),
      ...(turnId === undefined ? {} : { turnId }),
      ...(feedback === undefined ? {} : { feedback }),
      ...(receipts === undefined ? {} : { receipts }),
    })),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
