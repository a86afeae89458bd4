import { rotating } from './rotating.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';
import { urlPath } from './url-path.ts';

const bearerToken = {
  type: 'string',
  minLength: 8,
  pattern: '^[!-~]+$',
  allowed: 'a text of at least 8 characters without spaces',
} as const satisfies SettingSchema;

const requireAuthorization = {
  type: 'boolean',
  default: false,
  description: 'Serves signed-in users only.',
} as const satisfies SettingSchema;

const roles = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  uniqueItems: true,
  default: [],
  description: 'Any one of these roles suffices; with one, only signed-in users are served.',
} as const satisfies SettingSchema;

const rateLimit = {
  type: ['object', 'null'],
  default: null,
  additionalProperties: false,
  required: ['max', 'window'],
  properties: {
    max: { type: 'integer', minimum: 1, unit: 'requests', description: 'Most requests in a window.' },
    window: {
      type: 'string',
      format: 'duration',
      positive: true,
      description: 'Length of the window, which begins with the first request.',
    },
  },
} as const satisfies SettingSchema;

/** How single endpoints are protected (contract/configuration.md). */
export const endpointsSection = {
  title: 'Endpoints',
  type: 'object',
  additionalProperties: false,
  properties: {
    endpoints: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        transports: {
          type: 'object',
          default: {},
          additionalProperties: false,
          properties: {
            requireAuthorization,
            roles,
            rateLimit: {
              ...rateLimit,
              description:
                'Most requests of one signed-in user or address to the hub, to server-sent events, to the pages of questions over MCP and to erase user data; more are answered 429.',
            },
          },
          description: 'The hub and the address of server-sent events.',
        },
        mcp: {
          type: ['object', 'null'],
          default: null,
          additionalProperties: false,
          properties: {
            path: {
              ...urlPath,
              type: ['string', 'null'],
              default: null,
              description: 'Path of the MCP server below server.basePath; null takes mcpServerPath.',
            },
            requireAuthorization,
            roles,
            rateLimit: {
              ...rateLimit,
              description: 'Most requests of one signed-in user or address to the MCP server; more are answered 429.',
            },
            cors: {
              type: ['string', 'null'],
              default: null,
              minLength: 1,
              maxLength: 64,
              description:
                'The policy in cors by which websites may use the MCP server; HelperAgentMcp is built in and lets every website in, without cookies; null lets none in.',
            },
            confirmations: {
              type: 'string',
              enum: ['withhold', 'page'],
              default: 'withhold',
              description:
                'Actions that ask: withhold does not publish them; page publishes them to signed-in callers, whose users answer on a page of this server.',
            },
            logs: {
              type: 'string',
              enum: ['debug', 'info', 'warn', 'error', 'silent'],
              default: 'silent',
              description:
                'The lowest level of what an action logs in a call that the caller is sent, if it asks for logs; silent sends nothing.',
            },
          },
          description: 'The MCP server.',
        },
        a2a: {
          type: ['object', 'null'],
          default: null,
          additionalProperties: false,
          properties: {
            requireAuthorization,
            roles,
            rateLimit: {
              ...rateLimit,
              description: 'Most requests of one signed-in user or address to the A2A server; more are answered 429.',
            },
            legacy: {
              type: 'boolean',
              default: false,
              description: 'Serves clients of A2A 0.3 as well, with a card of their own.',
            },
            confirmations: {
              type: 'string',
              enum: ['refuse', 'page'],
              default: 'refuse',
              description:
                'Actions that ask: refuse does not run them; page lets the users of signed-in callers answer on a page of this server.',
            },
            signingKey: {
              type: ['string', 'null'],
              default: null,
              maxLength: 20_000,
              secret: true,
              description:
                'Private key in PEM (EC P-256 or P-384, Ed25519, or RSA from 2048 bits) that signs the card; null leaves it unsigned.',
            },
          },
          description: 'The A2A server and its card.',
        },
        openai: {
          type: 'object',
          default: {},
          additionalProperties: false,
          properties: {
            enabled: {
              type: 'boolean',
              default: false,
              description: 'Serves /v1/chat/completions, /v1/responses and /v1/models below server.basePath.',
            },
            requireAuthorization: {
              ...requireAuthorization,
              default: true,
              needs: [{ setting: 'endpoints.openai.enabled' }],
            },
            roles: { ...roles, needs: [{ setting: 'endpoints.openai.enabled' }] },
          },
          description: 'The assistant for clients of the OpenAI API.',
        },
        agui: {
          type: 'object',
          default: {},
          additionalProperties: false,
          properties: {
            enabled: { type: 'boolean', default: false, description: 'Serves POST /agui below server.basePath.' },
            requireAuthorization: {
              ...requireAuthorization,
              default: true,
              needs: [{ setting: 'endpoints.agui.enabled' }],
            },
            roles: { ...roles, needs: [{ setting: 'endpoints.agui.enabled' }] },
          },
          description: 'The assistant for clients of AG-UI.',
        },
        metrics: {
          type: 'object',
          default: {},
          additionalProperties: false,
          properties: {
            path: {
              ...urlPath,
              default: '/metrics',
              description: 'Path of the Prometheus metrics.',
            },
            token: {
              ...bearerToken,
              type: ['string', 'array', 'null'],
              items: bearerToken,
              ...rotating,
              allowed: `${bearerToken.allowed}, or a list of them`,
              default: null,
              description: 'Bearer token that a scraper must send, of a list any one; null leaves the metrics open.',
            },
            host: {
              type: ['string', 'null'],
              pattern: '^[A-Za-z0-9._:-]+$',
              allowed: 'a host name or an address without brackets',
              default: null,
              description: 'Address of the port of its own; null takes server.host.',
            },
            port: {
              type: ['integer', 'null'],
              minimum: 0,
              maximum: 65_535,
              default: null,
              description: 'A port of its own for the metrics; null serves them on server.port.',
            },
          },
          description: 'The Prometheus metrics.',
        },
        embed: {
          type: 'object',
          default: {},
          additionalProperties: false,
          properties: {
            frameAncestors: {
              type: 'array',
              items: { type: 'string', format: 'frame-ancestor' },
              uniqueItems: true,
              default: ["'self'"],
              description:
                "Origins of the websites that may show the embed page in a frame and talk with it, such as https://shop.example.com; 'self' is this server's own, an empty list means none.",
            },
          },
          description: 'The embed page, /helper/embed.',
        },
      },
      description: 'How single endpoints are protected.',
    },
  },
} as const satisfies SectionSchema;
