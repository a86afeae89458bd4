import { rotating } from './rotating.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';

const issuerAddress = {
  type: ['string', 'null'],
  pattern: '^[hH][tT][tT][pP][sS]?://[^/?#@\\s]+[^?#@\\s]*$',
  allowed: 'an http or https address without a query',
  default: null,
} as const satisfies SettingSchema;

const claimName = { type: 'string', minLength: 1, maxLength: 200 } as const satisfies SettingSchema;

const keySettings = {
  secret: {
    type: ['string', 'array', 'null'],
    minLength: 32,
    items: { type: 'string', minLength: 32, allowed: 'a text of at least 32 characters' },
    ...rotating,
    allowed: 'a text of at least 32 characters, or a list of them',
    default: null,
    description:
      'Key of tokens that are signed with a shared secret (HS256, HS384, HS512). Of a list every key is accepted, and the first signs the tokens of helper token.',
  },
  publicKeyFile: {
    type: ['string', 'null'],
    minLength: 1,
    relativeTo: 'file',
    default: null,
    description: 'PEM file of the public key or certificate that tokens are checked with.',
  },
  jwksUrl: { ...issuerAddress, description: 'Address of the key set (JWKS) that tokens are checked with.' },
  issuer: {
    ...issuerAddress,
    description:
      'Your identity provider (OpenID Connect): its keys are found by discovery, and tokens must be its own.',
  },
} as const satisfies Record<string, SettingSchema>;

const claimSettings = {
  mapInboundClaims: {
    type: 'boolean',
    default: true,
    description: 'Reads sub as the user id and role and roles as roles, as .NET does; false takes claims as they are.',
  },
  nameClaim: { ...claimName, default: 'name', description: "Claim with the user's name." },
  roleClaim: {
    ...claimName,
    default: 'role',
    description: "Claim with the user's roles; dots lead to a nested one, such as realm_access.roles.",
  },
  cookie: {
    type: ['string', 'null'],
    pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
    allowed: 'the name of a cookie',
    default: null,
    description: 'Cookie that may carry the token, for pages on the same site; null reads none.',
  },
} as const satisfies Record<string, SettingSchema>;

/** How users are told apart (contract/identity.md#tokens). */
export const authSection = {
  title: 'Signed-in users',
  type: 'object',
  additionalProperties: false,
  properties: {
    auth: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        jwt: {
          type: ['object', 'null'],
          default: null,
          additionalProperties: false,
          properties: {
            ...keySettings,
            audience: {
              type: ['string', 'null'],
              minLength: 1,
              default: null,
              description: 'The audience (aud) tokens must be meant for; null takes those for anyone.',
            },
            algorithms: {
              type: 'array',
              items: {
                type: 'string',
                enum: [
                  ...['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
                  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
                ],
              },
              uniqueItems: true,
              default: [],
              description: 'Signature algorithms to accept; empty means all that fit the key.',
            },
            clockTolerance: {
              type: 'string',
              format: 'duration',
              default: '30s',
              description: 'How far the clocks of issuer and server may differ.',
            },
            ...claimSettings,
            programs: {
              type: 'array',
              default: [],
              maxItems: 100,
              items: {
                type: 'object',
                additionalProperties: false,
                required: ['claim', 'equals'],
                properties: {
                  claim: {
                    ...claimName,
                    description: 'Name of the claim, such as azp or client_id; dots lead to a nested one.',
                  },
                  equals: { type: 'string', minLength: 1, description: 'Value it must have, alone or in a list.' },
                },
              },
              description:
                'Claims by which tokens of programs are known; whoever comes with such a token can open and answer no question on its page.',
            },
          },
          description:
            'Which tokens (JSON Web Tokens) sign a user in; exactly one of secret, publicKeyFile, jwksUrl and issuer. null: everybody is anonymous.',
        },
        claimsTransformation: {
          type: 'object',
          default: {},
          additionalProperties: false,
          properties: {
            addRoles: {
              type: 'array',
              default: [],
              maxItems: 500,
              items: {
                type: 'object',
                additionalProperties: false,
                required: ['claim', 'equals', 'role'],
                properties: {
                  claim: { ...claimName, description: 'Name of the claim; dots lead to a nested one.' },
                  equals: { type: 'string', minLength: 1, description: 'Value it must have, alone or in a list.' },
                  role: { type: 'string', minLength: 1, description: 'Role that is added.' },
                },
              },
              description: 'Roles that follow from claims.',
            },
          },
          description: 'What is added to the users that tokens speak of.',
        },
      },
      description: 'Who your users are.',
    },
    anonymousIdentity: {
      type: 'string',
      enum: ['PerSession', 'Shared'],
      default: 'PerSession',
      description: 'Whether each anonymous connection counts as a user of its own, or all together as one.',
    },
  },
} as const satisfies SectionSchema;
