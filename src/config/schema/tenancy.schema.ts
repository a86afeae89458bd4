import type { SectionSchema } from './setting-schema.ts';

/** Several customers of one server, kept apart (contract/identity.md#tenants). */
export const tenancySection = {
  title: 'Tenants',
  type: 'object',
  additionalProperties: false,
  properties: {
    tenancy: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        claim: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 200,
          default: null,
          description:
            'Claim that names the tenant of a user. With it, users of different tenants are different users whatever their ids, and a token without it is refused. null: one tenant.',
        },
      },
      description: 'Several customers of one server, kept apart.',
    },
  },
} as const satisfies SectionSchema;
