import type { SectionSchema, SettingSchema } from './setting-schema.ts';

const options = {
  type: 'object',
  additionalProperties: {},
} as const satisfies SettingSchema;

const toolNames = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 128 },
  maxItems: 128,
} as const satisfies SettingSchema;

/** One entry of `hostedMcpServers` (contract/hosted-tools.md#mcp-servers). */
const serverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'url'],
  properties: {
    name: {
      type: 'string',
      pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}$',
      allowed: 'letters, digits, dashes and underscores, at most 32, beginning with a letter',
      description: 'Name that the provider and the model know the server by; unique.',
    },
    url: {
      type: 'string',
      pattern: '^https?://\\S+$',
      allowed: 'an http or https address such as https://erp.example.com/mcp',
      description: "Address of the server; it must be reachable from the provider's network.",
    },
    description: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      description: 'What the model is told of the server.',
    },
    allowedTools: { ...toolNames, description: 'The only tools that may be used; left out, all.' },
    requireApproval: {
      type: 'boolean',
      default: true,
      description: 'Every call asks its user first, whatever requireConfirmation says.',
    },
    alwaysRequireApprovalTools: {
      ...toolNames,
      default: [],
      description: 'Tools that ask even with requireApproval: false; a tool that is in both lists asks.',
    },
    neverRequireApprovalTools: {
      ...toolNames,
      default: [],
      description: 'Tools that do not ask even with requireApproval: true.',
    },
    headers: {
      type: 'object',
      default: {},
      propertyNames: {
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        allowed: 'the name of an HTTP header',
      },
      additionalProperties: { type: 'string', pattern: '^[^\\r\\n]*$', secret: true, allowed: 'a text of one line' },
      description:
        'HTTP headers that the provider sends to the server. They leave this process: the provider of the model is given them with every call.',
    },
  },
} as const satisfies SettingSchema;

/** Tools that the provider of the model runs itself (contract/hosted-tools.md). */
export const hostedSection = {
  title: 'Hosted tools',
  type: 'object',
  additionalProperties: false,
  properties: {
    hostedTools: {
      type: 'array',
      items: { type: 'string', enum: ['WebSearch', 'FileSearch', 'CodeInterpreter'] },
      uniqueItems: true,
      default: [],
      description:
        'Tools that the provider of chatClient runs itself: a model of openai or azure, through the Responses API.',
    },
    hostedToolOptions: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        WebSearch: {
          needs: [{ setting: 'hostedTools', is: 'WebSearch' }],
          ...options,
          description: 'Options of the search, such as userLocation and searchContextSize.',
        },
        FileSearch: {
          needs: [{ setting: 'hostedTools', is: 'FileSearch' }],
          ...options,
          description: 'Options of the search; vectorStoreIds names where it looks.',
        },
        CodeInterpreter: {
          needs: [{ setting: 'hostedTools', is: 'CodeInterpreter' }],
          ...options,
          description: 'Options of the interpreter, such as container.',
        },
      },
      description: 'What the provider is told of each of its tools, under its own names in camelCase.',
    },
    hostedMcpServers: {
      type: 'array',
      items: serverSchema,
      maxItems: 32,
      default: [],
      description: 'MCP servers that the provider of chatClient connects to itself.',
    },
    showHostedToolsStatus: {
      needs: [[{ setting: 'hostedTools' }, { setting: 'hostedMcpServers' }]],
      type: 'boolean',
      default: false,
      description:
        'Shows in the menu of the widget which hosted tools are on, and tells each connection of the hub (HostedToolsReady).',
    },
    enableHostedToolActivity: {
      needs: [[{ setting: 'hostedTools' }, { setting: 'hostedMcpServers' }]],
      type: 'boolean',
      default: true,
      description:
        'Sends ActionExecuting and ActionCompleted for calls that the provider makes, whatever enableActionFeedback says.',
    },
    hostedToolDomainScope: {
      needs: [{ setting: 'hostedTools', is: 'WebSearch' }],
      type: 'array',
      items: {
        type: 'string',
        maxLength: 253,
        pattern: '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9-]{2,63}$',
        allowed: 'a domain in lower case without scheme and path, such as example.com',
      },
      uniqueItems: true,
      maxItems: 100,
      default: [],
      description: 'The only domains, with those below them, that a web search may look at; empty: any.',
    },
    hostedToolDomainCheck: {
      needs: [{ setting: 'hostedToolDomainScope' }],
      type: 'boolean',
      default: true,
      description: 'With hostedToolDomainScope, takes links and citations of other domains out of replies.',
    },
  },
} as const satisfies SectionSchema;
