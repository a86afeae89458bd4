import type { SectionSchema } from './setting-schema.ts';

const nodeUrl = { type: 'string', format: 'redis-node-url', secret: true } as const;

/** How several servers serve as one (contract/replicas.md). */
export const scaleOutSection = {
  title: 'Scale-out',
  type: 'object',
  additionalProperties: false,
  properties: {
    scaleOut: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        type: {
          type: 'string',
          enum: ['none', 'redis'],
          default: 'none',
          description:
            'none: this server is the only one. redis: it is one of several replicas, which reach each other over Redis (6.2 or newer, or Valkey).',
        },
        url: {
          type: ['string', 'null'],
          format: 'redis-url',
          secret: true,
          default: null,
          description:
            'With type redis, the address of Redis: redis://, rediss:// with TLS, or redis+unix:// with the path of a socket. With sentinel, it says user, password, TLS and database of the servers; its host does not matter.',
        },
        sentinel: {
          type: ['object', 'null'],
          default: null,
          additionalProperties: false,
          required: ['name', 'addresses'],
          properties: {
            name: { type: 'string', minLength: 1, description: 'What the Sentinels call the master.' },
            addresses: {
              type: 'array',
              items: nodeUrl,
              minItems: 1,
              maxItems: 50,
              uniqueItems: true,
              description:
                'Addresses of Sentinels; the user, the password and TLS of the first one hold for all of them.',
            },
          },
          description: 'With type redis, Sentinels that know where Redis is.',
        },
        cluster: {
          type: 'array',
          items: nodeUrl,
          maxItems: 50,
          uniqueItems: true,
          default: [],
          description:
            'With type redis, addresses of some nodes of a Redis Cluster, in place of url; the user, the password and TLS of the first one hold for all nodes.',
        },
        prefix: {
          type: 'string',
          pattern: '^[A-Za-z0-9._-]{1,40}$',
          allowed: 'letters of ASCII, digits, dots, underscores and hyphens, 40 at most',
          default: 'helper',
          description:
            'What the keys and channels in Redis begin with. Replicas of one deployment have the same, and other deployments that use this Redis have others.',
        },
        replicas: {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          default: 1,
          description:
            'How many replicas the deployment has. More than one without what they need to act as one keeps each of them from starting. The chart sets it.',
        },
      },
      description: 'How several servers serve as one, behind any balancer.',
    },
  },
} as const satisfies SectionSchema;
