import type { SectionSchema } from './setting-schema.ts';

/** The figures that operators see at `/helper/admin` (contract/operations.md#dashboard). */
export const dashboardSection = {
  title: 'Dashboard',
  type: 'object',
  additionalProperties: false,
  properties: {
    dashboardRole: {
      type: 'string',
      maxLength: 200,
      default: 'Admin',
      description:
        'Role that a signed-in user needs to see the figures of the dashboard, /helper/admin; empty opens them to anyone, for development only.',
    },
    modelPricing: {
      type: ['object', 'null'],
      default: null,
      propertyNames: { pattern: '\\S', maxLength: 200, allowed: 'the name of a model as the dashboard shows it' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['inputPer1M', 'outputPer1M'],
        properties: {
          inputPer1M: {
            type: 'number',
            minimum: 0,
            description: 'Price of a million input tokens, in the currency you are billed in.',
          },
          outputPer1M: {
            type: 'number',
            minimum: 0,
            description: 'Price of a million output tokens, in the same currency.',
          },
        },
      },
      description:
        "Prices by the name of the model, for the dashboard's estimate of costs; a model without a price has no cost.",
    },
    modelPricingCurrency: {
      needs: [{ setting: 'modelPricing' }],
      type: ['string', 'null'],
      pattern: '^[A-Z]{3}$',
      default: null,
      description: 'Currency of modelPricing as a code of ISO 4217, such as EUR; null shows costs without one.',
    },
    metricsPersistenceInterval: {
      needs: [{ setting: 'storage.type', not: 'memory' }],
      type: 'string',
      format: 'duration',
      positive: true,
      default: '30s',
      description: "How often the dashboard's figures are stored; the end of the server stores them too.",
    },
    metricsRetention: {
      type: 'string',
      format: 'age',
      positive: true,
      default: '7d',
      description: "How far back the dashboard's hourly figures are kept.",
    },
  },
} as const satisfies SectionSchema;
