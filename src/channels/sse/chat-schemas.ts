import type { FastifySchema } from 'fastify';
import { chatBodySchema } from '../../wire/chat-body.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';

const answers = {
  200: {
    description:
      'One turn. The stream opens with `retry: 2000` and `id: TURN:0`. Each frame has an `id: TURN:SEQ`, an `event` (`text`, `confirmation`, `navigation`, `card`, `failure` or `end`) and `data`, which is a JSON object on one line; `end` is the last. Lines that begin with a colon are comments.',
    type: 'text/event-stream',
    schema: { type: 'string' },
    headers: { 'x-turn-id': { type: 'string', description: 'Names the turn, for `/helper/cancel`.' } },
  },
  204: { description: 'There is nothing more to tell of the turn that `Last-Event-ID` names.' },
} as const;

/** `POST` may also leave the turn to itself. */
const detached = {
  202: {
    description:
      'With `Prefer: respond-async` and `server.durableTurns`: the turn is stored and goes on without a reader.',
    schema: { type: 'object', required: ['turnId'], properties: { turnId: { type: 'string' } } },
    headers: {
      'x-turn-id': { type: 'string', description: 'The same `turnId`.' },
      'preference-applied': { type: 'string', description: '`respond-async`.' },
    },
  },
} as const;

/** The faults before the turn begins. A later fault is a `failure` in the stream. */
const faults = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'server_draining',
  'overloaded',
] as const;

/** Browsers send this header by themselves when they reconnect. */
const headers = {
  type: 'object',
  properties: {
    'last-event-id': { type: 'string', description: 'The `id` of the last frame that was read: `TURN:SEQ`.' },
  },
} as const;

const resuming =
  'Each request is a conversation of its own. With `Last-Event-ID` the named turn is continued after that frame, and none begins.';

/** The schema of `GET {server.ssePath}`. */
export function askByQuerySchema({ identity, authorization }: Admission): FastifySchema {
  return describeEndpoint({
    operationId: 'askByQuery',
    tag: 'Chat',
    summary: 'Asks, as an EventSource of a browser can',
    description: resuming,
    security: securityOf(identity, authorization),
    querystring: {
      type: 'object',
      properties: {
        message: {
          type: 'string',
          description: 'The message. Only a request with `Last-Event-ID` needs none.',
          examples: ['Which orders are open?'],
        },
      },
    },
    headers,
    answers,
    faults: [...faults, 'internal'],
  });
}

/** The schema of `POST {server.ssePath}`. */
export function askSchema({ identity, authorization }: Admission): FastifySchema {
  return describeEndpoint({
    operationId: 'ask',
    tag: 'Chat',
    summary: 'Asks',
    description: resuming,
    security: securityOf(identity, authorization),
    body: chatBodySchema,
    headers: {
      ...headers,
      properties: {
        ...headers.properties,
        prefer: { type: 'string', description: '`respond-async` leaves the turn to itself.' },
      },
    },
    answers: { ...answers, ...detached },
    faults: [...faults, 'payload_too_large', 'not_json', 'storage_unavailable', 'internal'],
  });
}
