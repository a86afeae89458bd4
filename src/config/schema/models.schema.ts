import { usualWindow } from '../../core/base/usual-window.ts';
import { knownProviders } from '../../core/base/known-providers.ts';
import { agentCardUrl, agentHeaders } from './agent-members.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';

const modelNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
const modelNameAllowed = 'letters, digits, dots, dashes and underscores, at most 64, beginning with a letter or digit';

/** One entry of `models` (contract/models.md). Which fields a provider needs is decided in `rules/model-rules.ts`. */
export const modelSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    kind: {
      type: 'string',
      enum: ['chat', 'embeddings'],
      default: 'chat',
      description:
        'What the entry is for. chat: it answers. embeddings: it turns texts into vectors, for embeddingGenerator.',
    },
    provider: {
      type: 'string',
      minLength: 1,
      knownValues: ['openai', 'azure', 'demo', ...Object.keys(knownProviders)],
      description:
        'Who answers: openai (any OpenAI-compatible server), azure, anthropic, bedrock, deepseek, google, groq, mistral, ollama, openrouter, xai, demo (built in, needs no key), or the name of an installed LangChain package.',
    },
    plugin: {
      type: 'string',
      minLength: 1,
      description: 'Name of a model that a plugin exports; then provider is left out.',
    },
    model: { type: 'string', minLength: 1, description: "The provider's name of the model." },
    apiKey: {
      type: 'string',
      minLength: 1,
      secret: true,
      description: 'Key for the provider; write none for a server that wants no key.',
    },
    baseUrl: {
      type: 'string',
      pattern: '^https?://\\S+$',
      allowed: 'an http or https address such as http://localhost:11434/v1',
      description:
        'Address of an OpenAI-compatible server, or of another address of the provider; without it the provider itself is called.',
    },
    endpoint: {
      type: 'string',
      pattern: '^https?://\\S+$',
      allowed: 'an http or https address such as https://NAME.openai.azure.com',
      description: 'Address of the Azure OpenAI resource.',
    },
    deployment: { type: 'string', minLength: 1, description: 'Name of the Azure OpenAI deployment.' },
    apiVersion: { type: 'string', minLength: 1, description: 'API version of the Azure OpenAI resource.' },
    class: {
      type: 'string',
      pattern: '^[A-Za-z_$][A-Za-z0-9_$]*$',
      allowed: 'the name of a class, such as ChatAnthropic',
      description: 'The class that the LangChain package exports: a chat model, or embeddings.',
    },
    options: {
      type: 'object',
      additionalProperties: {},
      description:
        "What the LangChain package's class is constructed with; with openai and azure, further fields of the request body.",
    },
    api: {
      type: 'string',
      enum: ['chat', 'responses'],
      description:
        'Which OpenAI API is spoken: chat completions or responses. Left out, chat; for chatClient responses where hostedTools or hostedMcpServers is set.',
    },
    showThinking: {
      type: ['boolean', 'string'],
      enum: [false, 'summary'],
      default: false,
      allowed: 'false or summary',
      description:
        'Whether users may see what the model thinks before it answers. summary: folded above the reply, up to 16 KiB.',
    },
    temperature: {
      type: 'number',
      minimum: 0,
      maximum: 2,
      description: "How freely the model words its answers; left out, the provider's default.",
    },
    maxOutputTokens: {
      type: 'integer',
      minimum: 1,
      unit: 'tokens',
      description: "Most tokens of one answer of the model; left out, the provider's default.",
    },
    contextWindow: {
      type: 'integer',
      minimum: 1000,
      maximum: 100_000_000,
      default: usualWindow,
      unit: 'tokens',
      description:
        'Most tokens that the model takes and gives in one call; a longer conversation is sent shortened. Left out, servers of your own are asked.',
    },
    timeout: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '60s',
      description: 'How long the model may stay silent before a call counts as failed.',
    },
    totalTimeout: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '10m',
      description: 'How long one call may take in all, even when the model never falls silent.',
    },
    maxLineBytes: {
      type: 'string',
      format: 'size',
      positive: true,
      default: '1MiB',
      description: 'Longest line of a streamed reply; a longer one fails the call.',
    },
    maxReplyBytes: {
      type: 'string',
      format: 'size',
      positive: true,
      default: '4MiB',
      description: 'Most bytes of text and tool calls in one reply; more fail the call.',
    },
    maxRetries: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: 2,
      unit: 'retries',
      description: 'How often a call is tried again when it fails before its first token.',
    },
    headers: {
      type: 'object',
      default: {},
      propertyNames: {
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        allowed: 'the name of an HTTP header',
      },
      additionalProperties: { type: 'string', pattern: '^[^\\r\\n]*$', secret: true, allowed: 'a text of one line' },
      description: 'HTTP headers sent with every call.',
    },
    fallbacks: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      uniqueItems: true,
      default: [],
      description: 'Names of other entries of models, tried in order when a call fails before its first token.',
    },
    concurrency: {
      type: 'integer',
      minimum: 1,
      unit: 'calls',
      description: 'Most calls in flight; more wait in order. Left out, there is no limit.',
    },
  },
} as const satisfies SettingSchema;

/** The models, and which one answers (contract/models.md). */
export const modelsSection = {
  title: 'Models',
  type: 'object',
  additionalProperties: false,
  properties: {
    chatClient: {
      type: 'string',
      minLength: 1,
      examples: ['demo'],
      description: 'Name of the entry of models that answers. Either it or agent must be set.',
    },
    agent: {
      type: ['object', 'null'],
      default: null,
      additionalProperties: false,
      properties: {
        a2a: {
          ...agentCardUrl,
          description:
            'Address of the server of an agent that answers; its card is at /.well-known/agent-card.json below it.',
        },
        headers: {
          ...agentHeaders,
          description: 'HTTP headers that are sent to the origin of a2a, the same for every user.',
        },
        plugin: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'Name of an agent that a plugin exports under agents, and that answers.',
        },
      },
      description:
        'An agent that answers in place of chatClient: one on another server (a2a), or one of a plugin (plugin). Options that need chatClient then have no effect.',
    },
    classifierChatClient: {
      type: 'string',
      minLength: 1,
      description:
        'Name of the entry of models that is asked the small questions of the server, such as what to remember; left out, that of chatClient. Titles of conversations and keywords for searches are asked for only when it is set.',
    },
    embeddingGenerator: {
      type: 'string',
      minLength: 1,
      description:
        'Name of the entry of models, with kind: embeddings, by which documents, facts and tools are also found by what they mean. Left out, by their words alone.',
    },
    warmUpAtStartup: {
      type: 'boolean',
      default: false,
      description:
        'Opens a connection to the host of chatClient when the server starts, and makes ready what the first message would wait for. The model is asked nothing; what fails is a warning.',
    },
    models: {
      type: 'object',
      propertyNames: { pattern: modelNamePattern, allowed: modelNameAllowed },
      additionalProperties: modelSchema,
      default: {},
      examples: [{ demo: { provider: 'demo' } }],
      description: 'Models by a name of your choice.',
    },
  },
} as const satisfies SectionSchema;
