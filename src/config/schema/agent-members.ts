import type { SettingSchema } from './setting-schema.ts';

/** The name of an agent (contract/agents.md#definitions). */
export const agentName = {
  type: 'string',
  pattern: '^[^\\s/]([^/\\u0000-\\u001f\\u007f]{0,62}[^\\s/])?$',
  allowed: 'a text of at most 64 characters without a slash',
  description: 'Name that the coordinator, teams and users know the agent by; unique among all agents.',
} as const satisfies SettingSchema;

/** What an agent is good for. */
export const agentDescription = {
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description: 'What the agent is good for. The coordinator decides by it whom to hand a request to.',
} as const satisfies SettingSchema;

/** The server of a remote agent. */
export const agentCardUrl = {
  type: 'string',
  pattern: '^https?://[^\\s#]+$',
  allowed: 'an http or https address without a fragment, such as https://warehouse.example',
  description: 'Base address of the server of the agent; its card is at /.well-known/agent-card.json below it.',
} as const satisfies SettingSchema;

/** The headers for a remote agent. */
export const agentHeaders = {
  type: 'object',
  default: {},
  propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", allowed: 'the name of an HTTP header' },
  additionalProperties: {
    type: 'string',
    // What HTTP takes in a header.
    pattern: '^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$',
    secret: true,
    allowed: 'a text of one line, of letters that HTTP takes',
  },
  description: 'HTTP headers that are sent to the origin of agentCardUrl, the same for every user.',
} as const satisfies SettingSchema;
