import type { FastifySchema } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Attachment, CurrentPage, SentMessage } from '../../core/request/turn-request.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { isContent, isMediaType } from '../shared/attached-data.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';
import { readPage } from '../shared/read-message.ts';
import { ValueFault } from '../shared/read-values.ts';
import type { ClientAnswer } from './client-calls.ts';
import type { InputTool, LeftOut } from './client-tools.ts';
import type { RunIds } from './run-ids.ts';

interface InputPart {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly type?: string; readonly value?: string; readonly mimeType?: string };
  /** What a client wants to say of a picture or a document. Only its name is read. */
  readonly metadata?: { readonly filename?: unknown; readonly name?: unknown } | null;
  /** As versions before 1.0 write pictures and documents. */
  readonly data?: string;
  readonly mimeType?: string;
  readonly filename?: string;
}

/** A message as a client sends it. */
export interface InputMessage {
  readonly id?: string;
  readonly role: string;
  readonly content?: string | readonly InputPart[] | object | null;
  /** Of a message with the role `tool`. */
  readonly toolCallId?: string;
  readonly error?: string;
}

/** What the user of a client did with a question. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  /** Read only where the status is `resolved`: otherwise it is whatever the client has sent. */
  readonly payload?: { readonly approved?: boolean; readonly arguments?: Readonly<Record<string, unknown>> };
}

/** The body of `POST /agui`: a `RunAgentInput`. Members that are not named here have no effect. */
export interface RunInput extends RunIds {
  readonly messages: readonly InputMessage[];
  readonly tools?: readonly InputTool[];
  readonly context?: readonly { readonly description: string; readonly value: string }[];
  readonly resume?: readonly ResumeEntry[];
}

const id = { type: 'string', pattern: '^[!-~]{1,128}$' } as const;

const part = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', maxLength: 100 },
    text: { type: 'string' },
    source: {
      type: 'object',
      properties: {
        type: { type: 'string', maxLength: 100 },
        value: { type: 'string' },
        mimeType: { type: 'string', maxLength: 100 },
      },
    },
    metadata: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    data: { type: 'string' },
    mimeType: { type: 'string', maxLength: 100 },
    filename: { type: 'string', maxLength: 255 },
  },
} as const;

const tool = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 200 },
    description: { type: 'string', maxLength: 10_000 },
    parameters: { description: 'A JSON Schema.' },
    metadata: {
      anyOf: [
        { type: 'null' },
        { type: 'object', properties: { readOnly: { type: 'boolean' }, destructive: { type: 'boolean' } } },
      ],
    },
  },
} as const;

const body = {
  type: 'object',
  required: ['threadId', 'runId', 'messages'],
  properties: {
    threadId: { ...id, description: 'The conversation of a signed-in user.' },
    runId: id,
    protocolVersion: { type: 'string', maxLength: 20 },
    messages: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        required: ['role'],
        properties: {
          id: { type: 'string', maxLength: 200 },
          role: { type: 'string', maxLength: 100 },
          content: {
            anyOf: [
              { type: 'string' },
              { type: 'object' },
              { type: 'null' },
              { type: 'array', maxItems: 100, items: part },
            ],
          },
          toolCallId: { type: 'string', maxLength: 200 },
          error: { type: 'string' },
        },
      },
    },
    tools: { type: 'array', maxItems: 200, items: tool, description: 'What the client itself can do.' },
    context: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['description', 'value'],
        properties: { description: { type: 'string' }, value: { type: 'string' } },
      },
      description: 'What the client shows its user.',
    },
    resume: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['interruptId', 'status'],
        properties: {
          interruptId: id,
          status: { type: 'string', enum: ['resolved', 'cancelled'] },
          payload: { description: 'The answer. It has no effect where the status is `cancelled`.' },
        },
        if: { properties: { status: { const: 'resolved' } } },
        then: {
          properties: {
            payload: {
              type: 'object',
              properties: { approved: { type: 'boolean' }, arguments: { type: 'object' } },
              additionalProperties: false,
            },
          },
        },
      },
      description: 'Answers to the questions that ended an earlier run.',
    },
  },
  examples: [{ threadId: 't-1', runId: 'r-1', messages: [{ id: 'm-1', role: 'user', content: 'Which are open?' }] }],
} as const;

/**
 * The body without members that are null: many clients write so what they leave out. What the client's own tools take and what its user
 * has answered stays as it is.
 */
export function withoutNulls(body: unknown): unknown {
  if (!isObject(body)) return body;
  const given = present(body);
  const list = (name: string, read: (one: unknown) => unknown): object =>
    Array.isArray(given[name]) ? { [name]: given[name].map(read) } : {};
  return { ...given, ...list('messages', readMessage), ...list('tools', present), ...list('resume', present) };
}

function readMessage(message: unknown): unknown {
  const given = present(message);
  if (!isObject(given) || !Array.isArray(given['content'])) return given;
  return { ...given, content: given['content'].map(present) };
}

function present<Value>(value: Value): Value {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Value; // members that are left out are optional, or the schema finds them missing
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const runSchema = ({ identity, authorization }: Pick<Admission, 'identity' | 'authorization'>): FastifySchema =>
  describeEndpoint({
    operationId: 'runAgent',
    summary: 'Asks, as a run of AG-UI',
    tag: 'Chat',
    description: 'For clients of AG-UI 1.0. Only messages of the user are read, and answers to questions.',
    security: securityOf(identity, authorization),
    body,
    answers: {
      200: { description: 'The events of the run.', type: 'text/event-stream', schema: { type: 'string' } },
    },
  });

/** What a run asks: the newest message of its user, and what the user has said before. */
export interface AskedRun {
  readonly message: SentMessage;
  readonly messageId: string | undefined;
  readonly earlier: readonly string[];
}

/**
 * Reads the messages of the user. What the client says that others have said is left out: nothing tells whether it is true
 * (contract/ag-ui.md#messages).
 * @throws HelperError `invalid_request` where the newest message of the user has no text, or content that this server does not take.
 */
export function askedIn({ messages }: RunInput): AskedRun {
  const said = messages.filter(({ role }) => role === 'user');
  const newest = said.pop();
  const [text, attachments] = [textIn(newest), partsOf(newest).flatMap(attachmentIn)];
  if (text.trim() === '' && attachments.length === 0)
    throw new HelperError('invalid_request', 'messages must have a message of the user, with text or a picture.');
  return {
    message: { text, ...(attachments.length === 0 ? {} : { attachments }) },
    messageId: newest?.id,
    earlier: said.map(textIn).filter((one) => one !== ''),
  };
}

/** What a client says that a tool of its own has come to. */
export type AnsweredCall = ClientAnswer & { readonly callId: string };

/** The results that a client adds behind the newest message of its user. */
export function answersIn({ messages }: RunInput): readonly AnsweredCall[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(newest + 1).flatMap((message) => {
    const { role, toolCallId: callId, error } = message;
    if (role !== 'tool' || callId === undefined) return [];
    return [{ callId, content: textIn(message), ...(error === undefined ? {} : { error }) }];
  });
}

/** Whether a request asks something, and is no answer to what an earlier run has asked. */
export function beginsTurn(input: RunInput): boolean {
  return (input.resume ?? []).length === 0 && answersIn(input).length === 0;
}

/** The page of a client that shows its user nothing more. */
export const nothingShown: CurrentPage = { name: 'application' };

/** What the client shows its user, as data of the page. */
export function pageIn({ context = [] }: RunInput): {
  readonly page?: CurrentPage;
  readonly leftOut: readonly LeftOut[];
} {
  if (context.length === 0) return { leftOut: [] };
  const data = context.map(({ description, value }) => ({ description, value }));
  try {
    return { page: readPage({ ...nothingShown, data }, 'context'), leftOut: [] };
  } catch (error) {
    if (error instanceof ValueFault) return { leftOut: [{ reason: error.message }] };
    throw error;
  }
}

function partsOf(message: InputMessage | undefined): readonly InputPart[] {
  const content = message?.content;
  return Array.isArray(content) ? (content as readonly InputPart[]) : []; // the schema of the endpoint has checked them
}

function textIn(message: InputMessage | undefined): string {
  if (typeof message?.content === 'string') return message.content;
  return partsOf(message)
    .flatMap(({ type, text = '' }) => (type === 'text' ? [text] : []))
    .join('\n');
}

/** No address is fetched, so that nobody can have this server look at what only it can reach. */
function attachmentIn(part: InputPart): readonly Attachment[] {
  const { type, source, data, mimeType, filename } = part;
  if (type === 'text') return [];
  const isData = source?.type === 'data' && (type === 'image' || type === 'document');
  const given = type === 'binary' ? { value: data, mimeType } : isData ? source : {};
  const contentType = type === 'image' && given.mimeType?.startsWith('image/') !== true ? '' : given.mimeType;
  if (!isMediaType(contentType) || !isContent(given.value))
    throw new HelperError('invalid_request', 'Only text, and pictures and documents as base64 data, are supported.');
  const name = [filename, part.metadata?.filename, part.metadata?.name].find((one) => typeof one === 'string');
  return [{ ...(name === undefined ? {} : { name: name.slice(0, 255) }), contentType, data: given.value }];
}
