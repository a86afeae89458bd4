import { rotating } from './rotating.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';
import { webhookKey } from './webhook-key.ts';
import { urlPath, urlPathPrefix } from './url-path.ts';

const certificateFile = { type: 'string', minLength: 1, relativeTo: 'file' } as const satisfies SettingSchema;

const addressSettings = {
  host: {
    type: 'string',
    pattern: '^[A-Za-z0-9._:-]+$',
    allowed: 'a host name or an address without brackets',
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 listens on all.',
  },
  port: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 8080,
    description: 'Port to listen on; 0 takes a free one.',
  },
  basePath: {
    ...urlPathPrefix,
    default: '',
    description: 'Path in front of every address, except /healthz, /readyz and /metrics.',
  },
  publicUrl: {
    type: 'string',
    pattern: '^([hH][tT][tT][pP][sS]?://[^/?#@\\s]+/?)?$',
    format: 'public-url',
    default: '',
    description: 'Address under which browsers reach this server; needed behind a proxy.',
  },
  hosts: {
    type: 'array',
    items: {
      type: 'string',
      pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)$',
      allowed: 'a host name without a port, such as chat.example.com',
    },
    uniqueItems: true,
    default: [],
    description: 'Names under which this server may be asked, beside localhost, addresses and the host of publicUrl.',
  },
  watch: {
    type: 'boolean',
    default: false,
    description: 'Takes a changed configuration file as helper reload does, within 5 s.',
  },
  securityContact: {
    type: 'string',
    pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+)?$',
    maxLength: 500,
    allowed: 'empty, or an address such as mailto:security@example.com or https://example.com/security',
    default: '',
    description: 'Whom to tell of a weakness; served as /.well-known/security.txt.',
  },
  trustProxy: {
    type: 'boolean',
    default: false,
    description: 'Believes the X-Forwarded headers of one proxy; only behind a proxy that sets them.',
  },
  hubPath: {
    needs: [{ setting: 'server.channels', is: 'hub' }],
    ...urlPath,
    default: '/helper-hub',
    description: 'Path of the hub.',
  },
  ssePath: {
    needs: [{ setting: 'server.channels', is: 'sse' }],
    ...urlPath,
    default: '/helper/chat',
    description: 'Path of server-sent events.',
  },
  channels: {
    type: 'array',
    items: { type: 'string', enum: ['hub', 'sse'] },
    uniqueItems: true,
    default: ['hub', 'sse'],
    description: 'Which ways to chat are served; an empty list serves MCP and A2A alone, where they are on.',
  },
} as const satisfies Record<string, SettingSchema>;

const limitSettings = {
  maxConnections: {
    type: 'integer',
    minimum: 1,
    default: 20_000,
    unit: 'connections',
    description: 'Most open hub connections, and as many streams of server-sent events.',
  },
  maxConnectionsPerUser: {
    type: 'integer',
    minimum: 1,
    default: 20,
    unit: 'connections',
    description: 'Most open hub connections and streams of one signed-in user together.',
  },
  maxConnectionsPerAddress: {
    type: 'integer',
    minimum: 1,
    default: 500,
    unit: 'connections',
    description: 'The same for all callers of one address who have not signed in; IPv6 counts by /64.',
  },
  maxTurnsPerUser: {
    type: 'integer',
    minimum: 1,
    default: 20,
    unit: 'turns',
    description: 'Most turns that run for one signed-in user at the same time.',
  },
  maxTurnsPerAddress: {
    type: 'integer',
    minimum: 1,
    default: 100,
    unit: 'turns',
    description: 'The same for all callers of one address who have not signed in.',
  },
  maxRequestsPerAddress: {
    type: 'integer',
    minimum: 1,
    default: 500,
    unit: 'requests',
    description: 'Most requests of one client address under way at once, open streams of server-sent events included.',
  },
  maxBufferedBytes: {
    type: 'string',
    format: 'size',
    positive: true,
    default: '1MiB',
    description: 'Most bytes held back for a connection that reads slowly.',
  },
  flushInterval: {
    type: 'string',
    format: 'duration',
    default: '0ms',
    description: 'How long text of the model is gathered before it is sent; 0 sends at once.',
  },
  requestTimeout: {
    type: 'string',
    format: 'duration',
    positive: true,
    default: '30s',
    description: 'Time to receive a request, and for its client to read the end of a long answer; not to answer it.',
  },
  disconnectGrace: {
    type: 'string',
    format: 'duration',
    default: '5s',
    description: 'How long a turn goes on after its client has gone, so that it can come back.',
  },
  durableTurns: {
    type: 'boolean',
    default: false,
    description:
      'Whether every turn is stored from its beginning, so that it goes on after a crash. Otherwise turns are stored from their first confirmation on.',
  },
  webhooks: {
    type: 'object',
    default: {},
    additionalProperties: false,
    properties: {
      hosts: {
        type: 'array',
        items: {
          type: 'string',
          pattern: '^(\\[[0-9a-f:.]+\\]|[a-z0-9._-]+)(:[0-9]{1,5})?$',
          allowed: 'a host name in small letters, with its port unless that is 443, such as hooks.example.com',
        },
        uniqueItems: true,
        maxItems: 100,
        default: [],
        description: 'Hosts whose addresses callers may have told how a detached turn has ended. Empty: none.',
      },
      secret: {
        needs: [{ setting: 'server.webhooks.hosts' }],
        ...webhookKey,
        type: ['string', 'array', 'null'],
        items: webhookKey,
        ...rotating,
        default: null,
        allowed: `${webhookKey.allowed}, or a list of them`,
        description: 'Key that signs what they are told (Standard Webhooks). With a list each of them signs.',
      },
    },
    description: 'Who may be told how a detached turn has ended.',
  },
  resumeWindow: {
    type: 'string',
    format: 'duration',
    default: '2m',
    description:
      'How long a finished turn can still be read again by a client that lost it, over a restart too where it was stored.',
  },
  shutdownGrace: {
    type: 'string',
    format: 'duration',
    default: '25s',
    description: 'How long running turns may take to finish when the server is told to stop.',
  },
} as const satisfies Record<string, SettingSchema>;

/** Where the server listens and what it bears (contract/configuration.md). */
export const serverSection = {
  title: 'Server',
  type: 'object',
  additionalProperties: false,
  properties: {
    server: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        ...addressSettings,
        ...limitSettings,
        tls: {
          type: ['object', 'null'],
          default: null,
          additionalProperties: false,
          required: ['certFile', 'keyFile'],
          properties: {
            certFile: { ...certificateFile, description: 'PEM file of the certificate chain.' },
            keyFile: { ...certificateFile, description: 'PEM file of the private key.' },
          },
          description: 'Serves https with this certificate; null serves http.',
        },
      },
      description: 'Where the server listens and how much it bears.',
    },
  },
} as const satisfies SectionSchema;
