import type { SectionSchema } from './setting-schema.ts';
import { tokenIssuerProperties } from './token-issuer.schema.ts';

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
          type: ['object', 'array', 'null'],
          default: null,
          additionalProperties: false,
          properties: tokenIssuerProperties,
          minItems: 1,
          maxItems: 50,
          items: { type: 'object', additionalProperties: false, properties: tokenIssuerProperties },
          allowed: 'a map, or a list of maps for several issuers',
          description:
            'Which tokens (JSON Web Tokens) sign a user in, by preset and issuer, issuer, or one of secret, publicKeyFile and jwksUrl. null: everybody is anonymous.',
        },
        claimsTransformation: {
          needs: [{ setting: 'auth.jwt' }],
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
                  claim: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 200,
                    description: 'Name of the claim; dots lead to a nested one.',
                  },
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
