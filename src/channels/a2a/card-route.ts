import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { anonymousPrincipal } from '../../core/identity/principal.ts';
import { answersHead } from '../shared/answers-head.ts';
import type { AgentCard } from '@a2a-js/sdk';
import { agentCard, type AgentCardOptions, cardText } from './agent-card.ts';
import type { CardSigner } from './card-signer.ts';
import { cardTextOfBoth, legacyCardText, legacyVersion } from './legacy-card.ts';

export interface CardRouteOptions {
  /** The path of the endpoint, with `server.basePath`. */
  readonly path: string;
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Pick<Assistant, 'direct'>;
  /** What the card says now: a reload may change it. */
  readonly card: () => AgentCardOptions;
  /** Undefined: the card is not signed. */
  readonly signer: CardSigner | undefined;
  /** Whether clients of before 1.0 are served as well (`endpoints.a2a.legacy`). */
  readonly legacy: boolean;
  /** The address of the root of this server's endpoints, as clients reach it. */
  readonly addressOf: (request: { readonly protocol: string; readonly host: string }) => string;
}

/** Where clients look for the card (A2A 1.0, section 8.2). */
export const cardPath = '/.well-known/agent-card.json';

/** Where clients of before 1.0 look for theirs. */
const legacyPath = '/.well-known/agent.json';

const json = 'application/json; charset=utf-8';

/** How long clients may keep the card, in seconds. */
const keptSeconds = 60;

/** The card differs by the host that it was asked at. So many cards are known by their marks. */
const mostMarks = 100;

/** The card lists what anybody may have done here, whoever asks for it. */
const nobody = { principal: anonymousPrincipal(''), canConfirm: false };

/** A card as it is sent, and since when. */
interface SentCard {
  readonly text: Promise<string>;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The card of the agent, for clients that keep it, and the key of its signature (contract/a2a-server.md#the-card). */
export function cardRoute(app: FastifyInstance, options: CardRouteOptions): void {
  const { path, basePath, assistant, card, addressOf, signer, legacy } = options;
  const keysPath = keysPathBelow(basePath);
  /** A signature is another one each time, so a card is signed once. */
  const sentCards = new Map<string, SentCard>();
  const sentFor = (mark: string, made: AgentCard, address: string): SentCard => {
    const known = sentCards.get(mark);
    if (known !== undefined) return known;
    const signed = signer === undefined ? Promise.resolve(made) : signer.sign(made, `${address}${keysPath}`);
    const sent = { text: signed.then(cardText), since: Date.now() };
    if (sentCards.size >= mostMarks) sentCards.clear();
    sentCards.set(mark, sent);
    return sent;
  };
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const actions = await assistant.direct.offered(nobody);
    const address = addressOf(request);
    const said = card();
    const isPublic = said.signIn !== 'required';
    const made = agentCard(said, { actions, address, path });
    const version = request.headers['a2a-version'];
    if (legacy && (request.url.endsWith(legacyPath) || version === legacyVersion))
      return reply.header('cache-control', 'no-store').type(json).send(legacyCardText(made));
    const isForBoth = legacy && version === undefined;
    const textOf = (text: string): string => (isForBoth ? cardTextOfBoth(made, text) : text);
    const mark = `"${createHash('sha256')
      .update(textOf(cardText(made)))
      .digest('base64url')
      .slice(0, 22)}"`;
    const { text, since } = sentFor(mark, made, address);
    void reply
      .header('etag', mark)
      .header('last-modified', new Date(since).toUTCString())
      .header('cache-control', `${isPublic ? 'public' : 'private'}, max-age=${String(keptSeconds)}`)
      // CORS may have said that the answer differs by the origin, too.
      .header('vary', [reply.getHeader('vary'), 'host', ...(legacy ? ['a2a-version'] : [])].filter(Boolean).join(', '));
    if (hasMark(request.headers['if-none-match'], mark)) return reply.code(304).send();
    return reply.type(json).send(textOf(await text));
  };
  // A proxy may lead to this server only what is below its base path.
  const paths = legacy ? [cardPath, legacyPath] : [cardPath];
  for (const address of new Set(paths.flatMap((known) => [known, `${basePath}${known}`])))
    app.get(address, answersHead, send);
}

/** Whether a client has the card with this mark already. Proxies may have made the mark a weak one (RFC 9110, section 13.1.2). */
function hasMark(known: string | undefined, mark: string): boolean {
  return known?.split(',').some((one) => one.trim().replace(/^W\//, '') === mark) === true;
}

function keysPathBelow(basePath: string): string {
  return `${basePath}/helper/agent-card-keys.json`;
}

/** The public key of the signature. Everybody may read it, whoever may read the card: a verifier sends no token. */
export const cardKeys: FastifyPluginCallback<{ readonly basePath: string; readonly signer: CardSigner }> = (
  app,
  { basePath, signer },
  done,
) => {
  app.get(keysPathBelow(basePath), answersHead, (_request, reply) => {
    void reply.header('cache-control', `public, max-age=${String(keptSeconds)}`);
    return signer.keys;
  });
  done();
};
