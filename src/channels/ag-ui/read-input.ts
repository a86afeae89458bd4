import type { FastifySchema } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Attachment, SentMessage } from '../../core/request/turn-request.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';

interface InputPart {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly type?: string; readonly value?: string; readonly mimeType?: string };
}

/** A message as a client sends it. */
export interface InputMessage {
  readonly role: string;
  readonly content?: string | readonly InputPart[];
}

/** What the user of a client did with a question. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: { readonly approved?: boolean; readonly arguments?: Readonly<Record<string, unknown>> };
}

/** The body of `POST /agui`: a `RunAgentInput`. Members that are not named here have no effect. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly InputMessage[];
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
  },
} as const;

const body = {
  type: 'object',
  required: ['threadId', 'runId', 'messages'],
  properties: {
    threadId: { ...id, description: 'The conversation of a signed-in user.' },
    runId: id,
    messages: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        required: ['role'],
        properties: {
          role: { type: 'string', maxLength: 100 },
          content: { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 100, items: part }] },
        },
      },
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
          payload: {
            type: 'object',
            properties: { approved: { type: 'boolean' }, arguments: { type: 'object' } },
            additionalProperties: false,
          },
        },
      },
      description: 'Answers to the questions that ended an earlier run.',
    },
  },
  examples: [{ threadId: 't-1', runId: 'r-1', messages: [{ id: 'm-1', role: 'user', content: 'Which are open?' }] }],
} as const;

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
  readonly earlier: readonly string[];
}

/**
 * Reads the messages of the user. What the client says that others have said is left out: nothing tells whether it is true
 * (contract/ag-ui.md#messages).
 * @throws HelperError `invalid_request` where the newest message of the user has no text, or content that this server does not take.
 */
export function askedIn({ messages }: RunInput): AskedRun {
  const said = messages.filter(({ role }) => role === 'user').map(contentOf);
  const newest = said.pop();
  if (newest === undefined || (newest.text.trim() === '' && newest.attachments.length === 0))
    throw new HelperError('invalid_request', 'messages must end with what the user asks.');
  const { text, attachments } = newest;
  return {
    message: { text, ...(attachments.length === 0 ? {} : { attachments }) },
    earlier: said.map((one) => one.text).filter((one) => one !== ''),
  };
}

function contentOf({ content = '' }: InputMessage): {
  readonly text: string;
  readonly attachments: readonly Attachment[];
} {
  if (typeof content === 'string') return { text: content, attachments: [] };
  return {
    text: content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join('\n'),
    attachments: content.flatMap(attachmentIn),
  };
}

/** No address is fetched, so that nobody can have this server look at what only it can reach. */
function attachmentIn({ type, source = {} }: InputPart): readonly Attachment[] {
  if (type === 'text') return [];
  const { type: kind, value = '', mimeType = '' } = source;
  const isPicture = type === 'image' && kind === 'data' && /^image\/[a-z0-9.+-]{1,40}$/.test(mimeType);
  if (!isPicture || !/^[A-Za-z0-9+/]+={0,2}$/.test(value))
    throw new HelperError('invalid_request', 'Only text, and pictures as base64 data, are supported.');
  return [{ contentType: mimeType, data: value }];
}
