import type { SectionSchema } from './setting-schema.ts';

/** Headers that browsers send for the clients of this server, and for the tracing of a page. */
const headersOfClients = [
  ...['authorization', 'content-type', 'last-event-id', 'prefer', 'x-requested-with', 'x-request-id'],
  'x-signalr-user-agent',
  // A2A, TanStack AI
  ...['a2a-extensions', 'a2a-version', 'x-run-id'],
  // OpenAI's library
  ...['idempotency-key', 'openai-organization', 'openai-project'],
  ...['x-stainless-arch', 'x-stainless-async', 'x-stainless-custom-poll-interval', 'x-stainless-helper-method'],
  ...['x-stainless-lang', 'x-stainless-os', 'x-stainless-package-version', 'x-stainless-poll-helper'],
  ...['x-stainless-retry-count', 'x-stainless-runtime', 'x-stainless-runtime-version', 'x-stainless-timeout'],
  // W3C Trace Context and Baggage, Sentry
  ...['baggage', 'sentry-trace', 'traceparent', 'tracestate'],
];

/** What a policy says, whichever endpoints it is for. */
export const corsPolicySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    origins: {
      type: 'array',
      items: { type: 'string', format: 'origin' },
      uniqueItems: true,
      default: [],
      description:
        'Origins of websites that may use this server, beside its own, such as https://shop.example.com; * allows all, without credentials.',
    },
    credentials: {
      type: 'boolean',
      default: true,
      description: 'Lets those websites send cookies and authorization.',
    },
    headers: {
      type: 'array',
      items: {
        type: 'string',
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        allowed: 'the name of an HTTP header',
      },
      uniqueItems: true,
      default: headersOfClients,
      description: 'Request headers they may send.',
    },
    methods: {
      type: 'array',
      items: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
      uniqueItems: true,
      default: ['GET', 'POST', 'PATCH', 'DELETE'],
      description: 'Methods they may use.',
    },
  },
} as const;

/** Which other websites may call this server (contract/doors.md). */
export const corsSection = {
  title: 'Other websites (CORS)',
  type: 'object',
  additionalProperties: false,
  properties: {
    cors: {
      type: 'object',
      default: {},
      additionalProperties: { ...corsPolicySchema, description: 'A policy for an endpoint that names it.' },
      propertyNames: {
        type: 'string',
        pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
        allowed: 'a name of letters, digits, _ and -',
      },
      properties: {
        default: { ...corsPolicySchema, default: {}, description: 'The policy of every endpoint but the MCP server.' },
      },
      description: 'Which other websites may call this server from a browser.',
    },
  },
} as const satisfies SectionSchema;
