import { agentCardUrl, agentDescription, agentHeaders, agentName } from './agent-members.ts';
import type { SettingSchema } from './setting-schema.ts';
import { toolGlob } from './tool-glob.ts';

const names = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 200 },
  maxItems: 200,
} as const satisfies SettingSchema;

const helperRoles = { ...names, description: 'A user needs one of these roles to reach the agent. Empty: everybody.' };

/** A member that Microsoft Agent Framework reads, and this server does not. */
const foreign = { description: 'Read by Microsoft Agent Framework; without effect here.' } as const;

const count = (description: string): SettingSchema => ({ type: 'integer', minimum: 1, maximum: 1000, description });

const modelOptions = {
  type: 'object',
  additionalProperties: false,
  properties: {
    temperature: { type: 'number', minimum: 0, maximum: 2, description: 'How freely the model words its answers.' },
    topP: { type: 'number', minimum: 0, maximum: 1, description: 'Share of the likeliest words that it chooses from.' },
    topK: { type: 'integer', minimum: 1, description: 'Number of the likeliest words that it chooses from.' },
    maxOutputTokens: { type: 'integer', minimum: 1, description: 'Most tokens of one answer.' },
    frequencyPenalty: { type: 'number', minimum: -2, maximum: 2, description: 'Makes repeated words less likely.' },
    presencePenalty: { type: 'number', minimum: -2, maximum: 2, description: 'Makes words used before less likely.' },
    seed: { type: 'integer', description: 'Asks the provider to answer the same twice.' },
    stopSequences: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      maxItems: 16,
      description: 'Texts at which the answer ends.',
    },
    additionalProperties: {
      type: 'object',
      additionalProperties: {},
      description: 'Further fields for the provider, under its own names.',
    },
    allowMultipleToolCalls: foreign,
    responseFormat: foreign,
    chatToolMode: foreign,
  },
  description: 'Options of the model for this agent alone; left out, those of its entry of models.',
} as const satisfies SettingSchema;

const toolNames = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 128 },
  maxItems: 128,
} as const satisfies SettingSchema;

const { default: _, ...headers } = agentHeaders;

/** Members of a tool with `kind: mcp` (contract/agents.md#own-mcp-servers). */
const mcpMembers = {
  serverName: { type: 'string', minLength: 1, maxLength: 64, description: 'mcp: the same as name.' },
  url: {
    type: 'string',
    format: 'callback-url',
    description: 'mcp: address of the server, reached over HTTP. Redirects are not followed.',
  },
  allowedTools: {
    ...toolNames,
    description: 'mcp: the only tools that are taken, by the names that the server gives them; left out, all.',
  },
  approvalMode: {
    type: ['object', 'string'],
    allowed: 'always, never, or a map with kind: specify',
    additionalProperties: false,
    required: ['kind'],
    properties: {
      kind: {
        type: 'string',
        enum: ['always', 'never', 'specify'],
        description: 'always: every call asks its user. never: those ask that would ask anyway.',
      },
      alwaysRequireApprovalTools: { ...toolNames, description: 'specify: the tools of which every call asks.' },
      neverRequireApprovalTools: {
        ...toolNames,
        description: 'specify: the tools that ask only where they would anyway.',
      },
    },
    description: 'mcp: which calls ask their user, beside the writes that ask anyway.',
  },
  headers: {
    ...headers,
    description: 'mcp: HTTP headers that are sent to the origin of url, the same for every user.',
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

/** `kind: Prompt` (contract/agents.md#definitions). */
export const promptSchema: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'name'],
  properties: {
    kind: {
      type: 'string',
      enum: ['Prompt'],
      description: 'An agent with instructions, a model and tools of its own.',
    },
    name: agentName,
    displayName: foreign,
    description: agentDescription,
    metadata: { type: 'object', additionalProperties: {}, description: 'Notes of your own.' },
    instructions: {
      type: 'string',
      maxLength: 262_144,
      description: 'What the model is told before the conversation.',
    },
    additionalInstructions: { type: 'string', maxLength: 262_144, description: 'Stands below instructions.' },
    model: {
      type: ['object', 'string'],
      allowed: 'the name of an entry of models, or a map with id and options',
      additionalProperties: false,
      properties: {
        id: {
          type: 'string',
          minLength: 1,
          description: 'An entry of models by its name, or else by the name of its model. Left out: chatClient.',
        },
        options: modelOptions,
        provider: foreign,
        apiType: foreign,
        connection: foreign,
      },
      description: 'The model that answers: the name of an entry of models, or a map. Left out: chatClient.',
    },
    tools: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['kind'],
        properties: {
          kind: {
            type: 'string',
            // The spellings of both editions of Microsoft Agent Framework. They are read as the first of each.
            enum: [
              ...['function', 'mcp', 'webSearch', 'web_search', 'fileSearch', 'file_search'],
              ...['codeInterpreter', 'code_interpreter'],
            ],
            description:
              'An action or tool of the server, the tools of an MCP server, or a tool that the provider of the model runs itself.',
          },
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 64,
            description: 'function: its name; getOrder is get_order. mcp: the name that people know the server by.',
          },
          ...mcpMembers,
          vectorStoreIds: { ...names, description: 'fileSearch: the stores that are looked through.' },
          maximumResultCount: { type: 'integer', minimum: 1, description: 'fileSearch: the most results.' },
          maxResults: { type: 'integer', minimum: 1, description: 'fileSearch: the same as maximumResultCount.' },
          ranker: { type: 'string', minLength: 1, description: 'fileSearch: the ranker of the provider.' },
          scoreThreshold: { type: 'number', minimum: 0, maximum: 1, description: 'fileSearch: the least score.' },
          filters: {
            type: 'object',
            additionalProperties: {},
            description: 'fileSearch: which files, as the provider writes it.',
          },
          fileIds: { ...names, description: 'codeInterpreter: files of the provider that it may read.' },
          connection: foreign,
          options: foreign,
          description: foreign,
          parameters: foreign,
          bindings: foreign,
          strict: foreign,
          serverDescription: foreign,
        },
      },
      description: 'What the agent may call.',
    },
    inputSchema: foreign,
    outputSchema: {
      type: 'object',
      additionalProperties: {},
      description: 'The JSON that the reply is: a JSON Schema, or properties with kind, description and required.',
    },
    template: foreign,
    helper: {
      type: 'object',
      additionalProperties: false,
      properties: {
        requiredRoles: helperRoles,
        skills: { ...names, description: 'Names of the skills that the agent may load.' },
        actions: { type: 'array', items: toolGlob, maxItems: 200, description: 'Further tools, by globs of names.' },
      },
      description: 'What Microsoft Agent Framework has no word for.',
    },
  },
};

const teamOptions: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    maxRounds: count('How many times members are asked at most.'),
    maxTokens: {
      type: 'integer',
      minimum: 1,
      description: 'After how many tokens of replies the team ends. Left out: any number.',
    },
    chainOnlyAgentResponses: {
      type: 'boolean',
      description: 'sequential: a member sees only the reply before its own.',
    },
    aggregator: {
      type: 'string',
      enum: ['concat', 'last', 'model'],
      description: 'concurrent: what is made of the replies: all, the last one, or one that the model writes.',
    },
    manager: { ...agentName, description: 'groupChat, magentic: who leads: roundRobin, or the name of an agent.' },
    start: { ...agentName, description: 'handoff: the member that begins. Left out: the first.' },
    handoffs: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['from', 'to'],
        properties: {
          from: { ...agentName, description: 'A member.' },
          to: { ...agentName, description: 'The member that it may hand over to.' },
          reason: { type: 'string', minLength: 1, maxLength: 2000, description: 'When. The model reads it.' },
        },
      },
      description: 'handoff: who may hand over to whom. Left out: each member to every other.',
    },
    returnToPrevious: {
      type: 'boolean',
      description: 'handoff: the next message goes to the member that answered last.',
    },
    maxStalls: count('magentic: how many rounds without progress bring a new plan.'),
    maxResets: { type: 'integer', minimum: 0, maximum: 100, description: 'magentic: how many new plans there may be.' },
  },
  description: 'Options of the mode.',
};

/** `helper` of teams and remote agents, which have neither tools nor skills of their own. */
const rolesOnly: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { requiredRoles: helperRoles },
  description: 'Who may reach the agent.',
};

/** `kind: Team` (contract/agents.md#definitions). */
export const teamSchema: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'name', 'description', 'mode', 'members'],
  properties: {
    kind: { type: 'string', enum: ['Team'], description: 'Agents that answer together.' },
    name: agentName,
    description: agentDescription,
    metadata: { type: 'object', additionalProperties: {}, description: 'Notes of your own.' },
    mode: {
      type: 'string',
      enum: ['sequential', 'concurrent', 'groupChat', 'handoff', 'magentic'],
      description: 'How the members work together.',
    },
    members: {
      type: 'array',
      items: agentName,
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Names of specialists, remote agents or teams.',
    },
    options: teamOptions,
    helper: rolesOnly,
  },
};

/** `kind: RemoteAgent` (contract/agents.md#definitions). */
export const remoteAgentSchema: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'name', 'description', 'agentCardUrl'],
  properties: {
    kind: { type: 'string', enum: ['RemoteAgent'], description: 'An agent on another server, reached by A2A.' },
    name: agentName,
    description: agentDescription,
    metadata: { type: 'object', additionalProperties: {}, description: 'Notes of your own.' },
    agentCardUrl,
    headers: agentHeaders,
    helper: rolesOnly,
  },
};
