import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { anonymousPrincipal } from '../../core/identity/principal.ts';
import { answersHead } from '../shared/answers-head.ts';
import { agentCard, type AgentCardOptions, cardText } from './agent-card.ts';

export interface CardRouteOptions {
  /** The path of the endpoint, with `server.basePath`. */
  readonly path: string;
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Pick<Assistant, 'direct'>;
  readonly card: AgentCardOptions;
  /** The address of the root of this server's endpoints, as clients reach it. */
  readonly addressOf: (request: { readonly protocol: string; readonly host: string }) => string;
}

/** Where clients look for the card (A2A 1.0, section 8.2). */
export const cardPath = '/.well-known/agent-card.json';

/** How long clients may keep the card, in seconds. */
const keptSeconds = 60;

/** The card differs by the host that it was asked at. So many cards are known by their marks. */
const mostMarks = 100;

/** The card lists what anybody may have done here, whoever asks for it. */
const nobody = { principal: anonymousPrincipal(''), canConfirm: false };

/** The card of the agent, for clients that keep it (contract/a2a-server.md#the-card). */
export function cardRoute(
  app: FastifyInstance,
  { path, basePath, assistant, card, addressOf }: CardRouteOptions,
): void {
  /** When each card was first sent, in epoch milliseconds, by its mark. */
  const firstSent = new Map<string, number>();
  const isPublic = card.signIn !== 'required';
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const actions = await assistant.direct.offered(nobody);
    const text = cardText(agentCard(card, { actions, address: addressOf(request), path }));
    const mark = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const since = firstSent.get(mark) ?? Date.now();
    if (firstSent.size >= mostMarks) firstSent.clear();
    firstSent.set(mark, since);
    void reply
      .header('etag', mark)
      .header('last-modified', new Date(since).toUTCString())
      .header('cache-control', `${isPublic ? 'public' : 'private'}, max-age=${String(keptSeconds)}`)
      .header('vary', 'host');
    if (request.headers['if-none-match'] === mark) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  };
  // A proxy may lead to this server only what is below its base path.
  for (const address of new Set([cardPath, `${basePath}${cardPath}`])) app.get(address, answersHead, send);
}
