import { agentHeaders } from './agent-members.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';

const texts = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 200 },
  maxItems: 100,
  default: [],
} as const satisfies SettingSchema;

/** How this server gets a token for an MCP server (contract/mcp-servers.md#tokens). */
const authSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['clientId', 'clientSecret', 'tokenUrl'],
  properties: {
    clientId: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Id of this server at the issuer of tokens.',
    },
    clientSecret: { type: 'string', minLength: 1, maxLength: 4000, secret: true, description: 'Its secret there.' },
    tokenUrl: {
      type: 'string',
      format: 'callback-url',
      description: 'Token endpoint of the issuer; https, or on this machine.',
    },
    scope: { type: 'string', minLength: 1, maxLength: 1000, description: 'Scopes that are asked for.' },
    exchange: {
      type: 'boolean',
      default: false,
      description:
        "Exchanges the user's token at the issuer for a token of the MCP server (RFC 8693). The user's own token is never sent to the MCP server.",
    },
  },
  description: 'How a token for the server is got: by client credentials, or by token exchange.',
} as const satisfies SettingSchema;

/** What an entry says of one tool (contract/mcp-servers.md#calls). */
const toolSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    readOnly: {
      type: 'boolean',
      description: 'It changes nothing, so it does not ask; false: the server is not believed when it says so.',
    },
    requiresConfirmation: {
      type: 'boolean',
      description: 'Whether each call asks its user, whatever the server and requiresConfirmation of the entry say.',
    },
    trusted: {
      type: 'boolean',
      description: 'You vouch for its description and everything that it returns (docs/guides/provenance.md).',
    },
  },
} as const satisfies SettingSchema;

/** One entry of `mcpServers` (contract/mcp-servers.md). */
const serverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: {
      type: 'string',
      pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}$',
      allowed: 'letters, digits, dashes and underscores, at most 32, beginning with a letter',
      description: 'Name that users and the log know the server by; unique.',
    },
    serverUrl: {
      type: 'string',
      format: 'callback-url',
      description: 'Address of a server that is reached over HTTP. Redirects are not followed. This, or command.',
    },
    command: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'Program of a server that runs as a child process and speaks over its input and output.',
    },
    arguments: {
      type: 'array',
      items: { type: 'string', maxLength: 4000 },
      maxItems: 100,
      default: [],
      description: 'Arguments of the program.',
    },
    environmentVariables: {
      type: 'object',
      default: {},
      propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$', allowed: 'the name of an environment variable' },
      additionalProperties: { type: 'string', maxLength: 32000, secret: true },
      description:
        'Environment of the program, beside HOME, LANG, PATH, SHELL, TERM, TZ and USER. It gets nothing else.',
    },
    allowedTools: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 128 },
      maxItems: 128,
      description: 'The only tools that are taken, by the names that the server gives them; left out, all.',
    },
    requiresConfirmation: {
      type: 'boolean',
      default: false,
      description:
        'Every call of its tools asks its user first, also of those that the server declares to be read-only.',
    },
    tools: {
      type: 'object',
      default: {},
      propertyNames: { pattern: '^[\\s\\S]{1,128}$', allowed: 'the name that the server gives a tool' },
      additionalProperties: toolSchema,
      description: 'What holds for single tools, by the names that the server gives them.',
    },
    shared: {
      type: 'boolean',
      description:
        'One connection, or process, for all users. Left out: yes with serverUrl, and with command one process for each conversation.',
    },
    requiredRoles: {
      ...texts,
      description: 'Only users with any one of these roles may use its tools; empty: everybody.',
    },
    tenants: {
      ...texts,
      description: 'Only users of these tenants may use its tools, by glob: * stands for any characters, ? for one.',
    },
    timeout: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '60s',
      description: 'How long a call of one of its tools may take.',
    },
    headers: {
      ...agentHeaders,
      description: 'HTTP headers that are sent to the origin of serverUrl, the same for every user.',
    },
    auth: authSchema,
  },
} as const satisfies SettingSchema;

/** MCP servers that this server connects to (contract/mcp-servers.md). */
export const mcpSection = {
  title: 'MCP servers',
  type: 'object',
  additionalProperties: false,
  properties: {
    mcpServers: {
      type: 'array',
      items: serverSchema,
      maxItems: 50,
      default: [],
      description: 'MCP servers that this server connects to. Their tools join those of the coordinator.',
    },
    showMcpStatus: {
      needs: [{ setting: 'mcpServers' }],
      type: 'boolean',
      default: false,
      description: 'Shows in the menu of the widget how the MCP servers are doing that the user may reach.',
    },
  },
} as const satisfies SectionSchema;
