import { rotating } from './rotating.ts';
import type { SettingSchema } from './setting-schema.ts';

const addressPattern = '^[hH][tT][tT][pP][sS]?://[^/?#@\\s]+[^?#@\\s]*$';
const address = {
  pattern: addressPattern,
  allowed: 'an http or https address without a query',
} as const satisfies SettingSchema;

const claimName = { minLength: 1, maxLength: 200 } as const satisfies SettingSchema;

/** A setting that is a text or a list of texts. */
const texts = {
  type: ['string', 'array', 'null'],
  ...claimName,
  items: { type: 'string', ...claimName },
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  default: null,
} as const satisfies SettingSchema;

const oneOrMoreTexts = { ...texts, allowed: 'a text, or a list of texts' } as const satisfies SettingSchema;
const oneOrMoreClaims = {
  ...texts,
  allowed: 'the name of a claim, or a list of names',
} as const satisfies SettingSchema;

const keySettings = {
  preset: {
    type: ['string', 'null'],
    enum: [
      ...['keycloak', 'entra', 'auth0', 'okta', 'cognito', 'google', 'firebase', 'supabase', 'clerk'],
      ...['zitadel', 'authentik', null],
    ],
    default: null,
    description:
      'The identity provider by its name: where its keys are, and which claims hold names and roles. What is set beside it wins.',
  },
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
  jwksUrl: {
    type: ['string', 'null'],
    ...address,
    default: null,
    description: 'Address of the key set (JWKS) that tokens are checked with.',
  },
  issuer: {
    type: ['string', 'array', 'null'],
    ...address,
    items: { type: 'string', ...address },
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    allowed: 'an http or https address without a query, or a list of them',
    default: null,
    description:
      'Your identity provider (OpenID Connect): its keys are found by discovery, and tokens must be its own. Beside another key it only says whose tokens must be. {tenantid} stands for the tenant of a token.',
  },
} as const satisfies Record<string, SettingSchema>;

const claimSettings = {
  audience: {
    ...oneOrMoreTexts,
    description: 'The audience (aud) tokens must be meant for; of a list one is enough. null takes those for anyone.',
  },
  clients: {
    ...oneOrMoreTexts,
    description:
      'The clients whose tokens are taken, by client_id, azp, cid or appid, else by aud; with preset google by aud. With clients, a token needs no aud.',
  },
  tenants: {
    ...oneOrMoreTexts,
    description:
      'The tenants whose tokens are taken, by {tenantid} of the issuer, else by tenancy.claim, with preset google by the domain (hd). null takes all.',
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
  mapInboundClaims: {
    type: 'boolean',
    default: true,
    description: 'Reads sub as the user id and role and roles as roles, as .NET does; false takes claims as they are.',
  },
  nameClaim: {
    ...oneOrMoreClaims,
    description:
      "Claim with the user's name; of a list the first that a token has. null: name, preferred_username, upn, cognito:username, email.",
  },
  roleClaim: {
    ...oneOrMoreClaims,
    description:
      "Claim with the user's roles, or a list of such claims; dots lead to a nested one, such as realm_access.roles, and * stands for any name. null: role, or what preset knows.",
  },
  sharedUsers: {
    type: 'boolean',
    default: false,
    description:
      'Where there are several issuers: the same id is the same user at all issuers of entries with true. Users of other issuers are told apart.',
  },
  cookie: {
    type: ['string', 'null'],
    pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
    allowed: 'the name of a cookie',
    default: null,
    description: 'Cookie that may carry the token, for pages on the same site; null reads none.',
  },
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
          type: 'string',
          ...claimName,
          description: 'Name of the claim, such as azp or client_id; dots lead to a nested one.',
        },
        equals: { type: 'string', minLength: 1, description: 'Value it must have, alone or in a list.' },
      },
    },
    description:
      'Claims by which tokens of programs are known; whoever comes with such a token can open and answer no question on its page.',
  },
} as const satisfies Record<string, SettingSchema>;

/** One issuer of tokens, and what its tokens must have (contract/identity.md#tokens). */
export const tokenIssuerProperties = { ...keySettings, ...claimSettings } as const satisfies Record<
  string,
  SettingSchema
>;
