import type { SectionSchema, SettingSchema } from './setting-schema.ts';
import { regularExpression, toolGlob } from './tool-glob.ts';

const toolGlobs = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 200 },
  default: [],
} as const satisfies SettingSchema;

const argumentCondition = {
  type: 'object',
  additionalProperties: false,
  properties: {
    equals: { description: 'Is exactly this value.' },
    in: { type: 'array', items: {}, description: 'Is one of these values.' },
    lessThan: { type: 'number', description: 'Is a number below this one.' },
    greaterThan: { type: 'number', description: 'Is a number above this one.' },
    matches: {
      ...regularExpression,
      description: 'Is a text in which this regular expression finds something.',
    },
  },
} as const satisfies SettingSchema;

/** When the user is asked before a tool runs (contract/confirmations.md#which-actions-ask). */
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
      needs: [{ setting: 'requireConfirmation' }],
      type: 'boolean',
      default: true,
      description:
        'Asks before an action that declares neither readOnly nor requiresConfirmation; false asks only where an action demands it.',
    },
    hitlMode: {
      type: 'string',
      enum: ['Blocking', 'Native'],
      default: 'Blocking',
      description:
        'How a turn waits for the answer: Blocking in this process, whose end cancels it; Native over a restart too. Native also knows rules that approve.',
    },
    requiresApproval: {
      needs: [{ setting: 'requireConfirmation' }],
      ...toolGlobs,
      description: 'Names of tools that always ask; * stands for any characters, ? for one.',
    },
    isReadOnlyAction: {
      ...toolGlobs,
      description: 'Names of tools that count as read-only and so do not ask; * stands for any characters, ? for one.',
    },
    autoApprovalRules: {
      needs: [{ setting: 'hitlMode', is: 'Native' }, { setting: 'requireConfirmation' }],
      type: 'array',
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool'],
        properties: {
          tool: toolGlob,
          when: {
            type: 'object',
            additionalProperties: argumentCondition,
            description: 'What arguments must be, by name; all of it must hold, and a missing argument holds nothing.',
          },
          roles: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 200 },
            description: 'Roles of which the user has one; left out, everybody.',
          },
        },
      },
      description:
        'Calls that need no answer although they ask; the first entry that holds approves. Native only. With provenance.enforce none approves once the model has read text of others, such as the page that the widget sends with each message, or what an MCP server says of its tools.',
    },
    maxAutoApprovalIterations: {
      needs: [{ setting: 'hitlMode', is: 'Native' }, { setting: 'requireConfirmation' }],
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 1000,
      default: null,
      description:
        'Most rounds of one turn in which rules approve; then the user is asked again. null means 10. Native only, and within what provenance.enforce lets rules approve.',
    },
    killSwitch: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        writes: { type: 'boolean', default: false, description: 'Refuses everything that is not read-only.' },
        tools: {
          ...toolGlobs,
          description: 'Names of tools that are refused; * stands for any characters, ? for one.',
        },
      },
      description: 'Refuses actions at once: a change of the file takes effect within 5 s, without a restart.',
    },
    provenance: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        enforce: {
          type: 'boolean',
          default: true,
          description:
            'Lets no rule approve what text of documents, pages or untrusted actions may be behind, and asks about recipients that the user has not named. With false a question only says so. The widget sends its page with each message unless the page sets pageName: "", and then rules approve nothing.',
        },
      },
      description: 'What follows from where text came from that the model has read.',
    },
    confirmationTimeout: {
      type: 'string',
      format: 'duration',
      default: '15m',
      description:
        'How long a question stays open before it counts as cancelled; 0 means as long as its turn, and over restarts dataProtection.maxAge.',
    },
  },
} as const satisfies SectionSchema;
