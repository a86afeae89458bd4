import type { SectionSchema, SettingSchema } from './setting-schema.ts';

/** One entry of `budgets` (contract/limits.md#budgets). What goes together is decided in `rules/budget-rules.ts`. */
const budgetSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['per', 'then'],
  properties: {
    per: {
      type: 'string',
      enum: ['user', 'role', 'conversation', 'day'],
      description:
        'Who spends together: each user, all users with role, each conversation, or everybody in one day (UTC).',
    },
    role: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'Only users with this role spend it; left out, everybody does. per: role needs it.',
    },
    tokens: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000_000_000,
      unit: 'tokens',
      description: 'How many input and output tokens may be spent in a window.',
    },
    cost: {
      type: 'number',
      minimum: 0.000001,
      maximum: 1_000_000,
      description: 'How much may be spent in a window, by modelPricing and in its currency; in place of tokens.',
    },
    window: {
      type: 'string',
      format: 'age',
      positive: true,
      description:
        'Length of the window, which begins with the first call that is counted; left out, 1d. per: day takes none.',
    },
    tenants: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      default: [],
      description: 'Only users of these tenants spend it, by glob: * stands for any characters, ? for one.',
    },
    then: {
      type: 'string',
      enum: ['refuse', 'downgrade'],
      description:
        'What becomes of calls once it is used up. refuse: none is made. downgrade: the cheapest of chatClient and its fallbacks answers.',
    },
  },
} as const satisfies SettingSchema;

/** What may be spent on models (contract/limits.md#budgets). */
export const budgetsSection = {
  title: 'Budgets',
  type: 'object',
  additionalProperties: false,
  properties: {
    budgets: {
      type: 'array',
      items: budgetSchema,
      maxItems: 50,
      default: [],
      description: 'What may be spent on models, in tokens or by modelPricing. All that apply to a call are counted.',
    },
  },
} as const satisfies SectionSchema;
