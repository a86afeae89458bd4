import type { SectionSchema } from './setting-schema.ts';
import { urlPath } from './url-path.ts';

const address = {
  type: ['string', 'null'],
  pattern: '^https?://[^\\s]+$',
  maxLength: 2_000,
  allowed: 'an http or https address',
  default: null,
} as const;

/** The A2A server, by which other agents ask the assistant (contract/a2a-server.md). */
export const a2aServerSection = {
  title: 'A2A server',
  type: 'object',
  additionalProperties: false,
  properties: {
    a2aServerEnabled: {
      type: 'boolean',
      default: false,
      description: 'Answers other agents by A2A, and serves the card that tells them what the assistant can do.',
    },
    a2aServerPath: {
      needs: [{ setting: 'a2aServerEnabled' }],
      ...urlPath,
      default: '/a2a',
      description: 'Path of the A2A endpoint below server.basePath.',
    },
    enableA2AGroundingCheck: {
      needs: [{ setting: 'a2aServerEnabled' }],
      type: 'boolean',
      default: false,
      description:
        'Asks classifierChatClient whether what was read supports a reply to another agent; a reply that nothing supports is replaced by a refusal.',
    },
    agentCard: {
      needs: [{ setting: 'a2aServerEnabled' }],
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        version: {
          type: 'string',
          pattern: '\\S',
          maxLength: 100,
          default: '1.0.0',
          allowed: 'a text that is not blank',
          description: 'Version of the assistant.',
        },
        iconUrl: { ...address, description: 'Address of a picture.' },
        provider: {
          type: ['string', 'null'],
          pattern: '\\S',
          maxLength: 200,
          allowed: 'a text that is not blank',
          default: null,
          description: 'Name of the organisation that provides the assistant.',
        },
        documentationUrl: { ...address, description: 'Address of a page about the assistant.' },
        tags: {
          type: ['array', 'null'],
          items: { type: 'string', minLength: 1, maxLength: 100 },
          maxItems: 100,
          default: null,
          description: 'Reserved; not published.',
        },
      },
      description:
        'What the card says beside appName, appDescription and the actions that need neither a role nor an answer.',
    },
  },
} as const satisfies SectionSchema;
