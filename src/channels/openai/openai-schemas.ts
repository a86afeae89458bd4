import type { FastifySchema } from 'fastify';
import type { Admission } from '../shared/admit-requests.ts';
import { describeEndpoint, type Schema, securityOf } from '../shared/describe-endpoint.ts';
import type { SentInput } from './read-asked.ts';

/** Most messages of one request. */
const mostMessages = 1_000;

const parts = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: { type: 'string', maxLength: 100 },
      text: { type: 'string' },
      image_url: {
        anyOf: [{ type: 'string' }, { type: 'object', required: ['url'], properties: { url: { type: 'string' } } }],
      },
      file: {
        type: 'object',
        properties: { filename: { type: 'string', maxLength: 255 }, file_data: { type: 'string' } },
      },
      filename: { type: 'string', maxLength: 255 },
      file_data: { type: 'string' },
    },
  },
} as const;

const messages = {
  type: 'array',
  maxItems: mostMessages,
  items: {
    type: 'object',
    properties: {
      role: { type: 'string', maxLength: 100 },
      content: { anyOf: [{ type: 'string' }, { type: 'null' }, parts] },
    },
  },
} as const;

/** Members that both endpoints have. */
const shared = {
  model: { type: 'string', minLength: 1, maxLength: 200, description: 'Any name. One assistant answers to all.' },
  stream: { type: ['boolean', 'null'] },
  tools: { type: ['array', 'null'], maxItems: mostMessages, description: 'Must be empty: the assistant has its own.' },
} as const;

/** The body of `POST /v1/chat/completions`. Members that are not named here have no effect. */
export interface ChatCompletionBody {
  readonly model: string;
  readonly messages: readonly SentInput[];
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean | null } | null;
  readonly n?: number | null;
  readonly tools?: readonly unknown[] | null;
  readonly functions?: readonly unknown[] | null;
  readonly response_format?: { readonly type?: string } | null;
}

const chatBody = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    ...shared,
    messages,
    stream_options: { type: ['object', 'null'], properties: { include_usage: { type: ['boolean', 'null'] } } },
    n: { type: ['integer', 'null'], description: 'At most 1.' },
    functions: { type: ['array', 'null'], maxItems: mostMessages, description: 'Must be empty.' },
    response_format: {
      type: ['object', 'null'],
      properties: { type: { type: 'string', maxLength: 100 } },
      description: 'Text alone.',
    },
  },
  examples: [{ model: 'helper', messages: [{ role: 'user', content: 'Which orders are open?' }] }],
} as const;

/** The body of `POST /v1/responses`. Members that are not named here have no effect. */
export interface ResponsesBody {
  readonly model: string;
  readonly input: string | readonly SentInput[];
  readonly stream?: boolean | null;
  readonly tools?: readonly unknown[] | null;
  readonly previous_response_id?: string | null;
  readonly conversation?: unknown;
  readonly background?: boolean | null;
  readonly text?: { readonly format?: { readonly type?: string } | null } | null;
}

const responsesBody = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    ...shared,
    input: { anyOf: [{ type: 'string' }, messages] },
    previous_response_id: { type: ['string', 'null'], description: 'Must be absent: nothing is kept.' },
    conversation: { description: 'Must be absent: nothing is kept.' },
    background: { type: ['boolean', 'null'], description: 'Must not be true.' },
    text: {
      type: ['object', 'null'],
      properties: {
        format: { type: ['object', 'null'], properties: { type: { type: 'string', maxLength: 100 } } },
      },
      description: 'Plain text alone.',
    },
  },
  examples: [{ model: 'helper', input: 'Which orders are open?' }],
} as const;

const object = { type: 'object' } as const;

type Who = Pick<Admission, 'identity' | 'authorization'>;

function described(
  { identity, authorization }: Who,
  { body, ...what }: { readonly operationId: string; readonly summary: string; readonly body?: Schema },
): FastifySchema {
  const streamed = body === undefined ? {} : { others: { 'text/event-stream': { type: 'string' } } };
  return describeEndpoint({
    ...what,
    tag: 'Chat',
    description:
      'For clients of the OpenAI API, whose error shape it has. Nothing is kept between two requests; only messages of the user are read.',
    security: securityOf(identity, authorization),
    ...(body === undefined ? {} : { body }),
    answers: {
      200: { description: 'The reply.', type: 'application/json', schema: object, ...streamed },
      400: { description: 'Not served like that, or refused.', type: 'application/json', schema: object },
    },
  });
}

export const chatCompletionSchema = (who: Who): FastifySchema =>
  described(who, { operationId: 'createChatCompletion', summary: 'Asks, as a chat completion', body: chatBody });

export const responsesSchema = (who: Who): FastifySchema =>
  described(who, { operationId: 'createResponse', summary: 'Asks, as a response', body: responsesBody });

export const modelsSchema = (who: Who): FastifySchema =>
  described(who, { operationId: 'listModels', summary: 'Lists the one model' });

export const modelSchema = (who: Who): FastifySchema => ({
  ...described(who, { operationId: 'getModel', summary: 'Reads the one model' }),
  params: {
    type: 'object',
    properties: { model: { type: 'string', maxLength: 200, description: 'Its name: helper.' } },
    required: ['model'],
  },
});
