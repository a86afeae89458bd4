import type { SectionSchema, SettingSchema } from './setting-schema.ts';

const toolGlobs = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 200 },
  default: [],
} as const satisfies SettingSchema;

/** When the user is asked before a tool runs (service.md 2.6). */
export const confirmationSection = {
  title: 'Confirmation',
  type: 'object',
  additionalProperties: false,
  properties: {
    requireConfirmation: {
      type: 'boolean',
      default: true,
      description: 'Global switch: false never asks; required roles still refuse.',
    },
    requireConfirmationForWrites: {
      type: 'boolean',
      default: true,
      description:
        'Asks before an action that declares neither readOnly nor requiresConfirmation; false asks only where an action demands it.',
    },
    hitlMode: {
      type: 'string',
      enum: ['Blocking'],
      default: 'Blocking',
      description: 'How a turn waits for the answer: Blocking keeps it running until then.',
    },
    requiresApproval: {
      ...toolGlobs,
      description: 'Names of tools that always ask; * stands for any characters, ? for one.',
    },
    isReadOnlyAction: {
      ...toolGlobs,
      description: 'Names of tools that count as read-only and so do not ask; * stands for any characters, ? for one.',
    },
    confirmationTimeout: {
      type: 'string',
      format: 'duration',
      default: '15m',
      description: 'How long a question stays open before it counts as cancelled; 0 means for ever.',
    },
  },
} as const satisfies SectionSchema;
