import type { SectionSchema } from './setting-schema.ts';

/** How requests of this server reach others (contract/operations.md#outgoing-requests). */
export const networkSection = {
  title: 'Outgoing requests',
  type: 'object',
  additionalProperties: false,
  properties: {
    network: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        proxy: {
          type: ['string', 'null'],
          pattern: '^[hH][tT][tT][pP][sS]?://[^/?#\\s]+/?$',
          allowed: 'the address of an HTTP proxy, such as http://proxy.example.com:3128',
          secret: true,
          default: null,
          description:
            'Proxy for requests to models, embeddings, MCP servers, agents, APIs, callbacks, webhooks, token issuers and OTLP; without it, HTTPS_PROXY and HTTP_PROXY of the environment hold.',
        },
        noProxy: {
          type: 'array',
          items: {
            type: 'string',
            pattern: '^[^\\s,/]+$',
            allowed: 'a host, a domain such as .example.com, host:port, or *',
          },
          maxItems: 500,
          uniqueItems: true,
          default: [],
          description: 'Hosts that are reached without the proxy, beside those of NO_PROXY.',
        },
        ca: {
          type: 'array',
          items: { type: 'string', minLength: 1, relativeTo: 'file' },
          maxItems: 50,
          uniqueItems: true,
          default: [],
          description: 'PEM files with roots to trust, beside those of Node.js.',
        },
      },
      description: 'How requests of this server reach others.',
    },
  },
} as const satisfies SectionSchema;
