import type { ModelSettings } from '../../../src/adapters/models/model-settings.ts';
import type { ModelReply } from '../../../src/core/ports/chat-model.ts';
import { modelBounds, type OpenedModels } from '../opened-models.ts';
import { chunk, type ModelScript, sending } from '../scripted-model.ts';
import { bedrockCall, type BedrockEvent, bedrockText, converse, startBedrock } from './bedrock.ts';
import { type ClaudeBlock, claudeCall, claudeSays, claudeText } from './claude.ts';

/** What a model does in a row of the guide's table. */
export type Act = 'says' | 'calls' | 'calls both' | 'thinks and calls' | 'is cut';

/** A provider as it speaks on its own wire. */
export interface ProviderWire {
  /** Where the shapes are from, and when they were looked at. */
  readonly source: string;
  /** Opens the model of an entry with this provider and with more members, which does these things in turn. */
  open(
    models: OpenedModels,
    acts: readonly Act[],
    more?: Partial<ModelSettings>,
  ): Promise<{ readonly model: Awaited<ReturnType<OpenedModels['open']>>; readonly requests: () => readonly string[] }>;
  /** What its own count of tokens means. */
  readonly usage: ModelReply['usage'];
  /** What of its thought must come back with the call: a part of the next request. Empty where it wants nothing back. */
  readonly back: readonly string[];
  /** How a picture stands in its requests. */
  readonly picture: string;
}

const bounds = { ...modelBounds, maxRetries: 0, fallbacks: [] } as const;
/** What a model thinks that thinks. */
export const thought = 'First I look at the order.';
const signature = 'c2lnbmF0dXJlLW9mLXRoZS1wcm92aWRlcg==';

/** How a provider that speaks in OpenAI's way differs from it. */
interface Dialect {
  readonly source: string;
  readonly entry?: Partial<ModelSettings>;
  /** The pieces of its thought. */
  readonly thinks: readonly object[];
  /** Members of a call of a model that thinks. */
  readonly ofCall?: object;
  readonly back: readonly string[];
  /** The last chunk of a reply, or its members. */
  readonly used: object;
  readonly usage: ModelReply['usage'];
  /** Whether calls come whole, in one piece each. */
  readonly callsWhole?: boolean;
}

function wireOf(provider: string, dialect: Dialect): ProviderWire {
  const { source, entry, thinks, ofCall = {}, back, used, usage, callsWhole = false } = dialect;
  const last = (finish: string): string =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: finish }], ...used })}\n\ndata: [DONE]\n\n`;
  const call = (name: string, index: number, more: object): readonly object[] => {
    const head = { index, id: `call_${name}`, type: 'function', ...more };
    if (callsWhole) return [{ tool_calls: [{ ...head, function: { name, arguments: '{"id":1}' } }] }];
    return [
      { tool_calls: [{ ...head, function: { name, arguments: '' } }] },
      { tool_calls: [{ index, function: { arguments: '{"id"' } }] },
      { tool_calls: [{ index, function: { arguments: ':1}' } }] },
    ];
  };
  const pieces: Readonly<Record<Act, readonly string[]>> = {
    says: [chunk({ role: 'assistant', content: 'It has ' }), chunk({ content: 'left.' }), last('stop')],
    calls: [...call('get_order', 0, {}).map((delta) => chunk(delta)), last('tool_calls')],
    'calls both': [
      ...['get_order', 'get_price'].flatMap((name, index) => call(name, index, {})).map((delta) => chunk(delta)),
      last('tool_calls'),
    ],
    'thinks and calls': [
      ...thinks.map((delta) => chunk(delta)),
      ...call('get_order', 0, ofCall).map((delta) => chunk(delta)),
      last('tool_calls'),
    ],
    'is cut': [chunk({ content: 'It has ' }), last('length')],
  };
  return {
    source,
    usage,
    back,
    picture: '"image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}',
    async open(models, acts, more) {
      const server = await models.server(...acts.map((act) => sending(...pieces[act])));
      const model = await models.open({
        main: {
          ...bounds,
          ...(provider === 'azure'
            ? { endpoint: server.origin, deployment: 'd', apiVersion: '2024-10-21' }
            : { model: 'm', baseUrl: server.url }),
          ...{ provider, apiKey: 'a-key-of-the-test', ...entry, ...more },
        },
      });
      return { model, requests: () => server.requests.map(({ body }) => JSON.stringify(body)) };
    },
  };
}

const openAiUsage = {
  usage: {
    ...{ prompt_tokens: 1000, completion_tokens: 60, total_tokens: 1060 },
    prompt_tokens_details: { cached_tokens: 800 },
    completion_tokens_details: { reasoning_tokens: 40 },
  },
};
const counted = { inputTokens: 1000, outputTokens: 60, cachedInputTokens: 800 };

const anthropic: ProviderWire = {
  source: 'Anthropic, streaming messages and extended thinking, November 2026',
  usage: counted,
  back: [`"thinking":"${thought}"`, `"signature":"${signature}"`],
  picture: '"media_type":"image/png"',
  async open(models, acts, more) {
    const thinking: ClaudeBlock = [
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: thought },
      { type: 'signature_delta', signature },
    ];
    const used = {
      ...{ input_tokens: 150, cache_read_input_tokens: 800, cache_creation_input_tokens: 50, output_tokens: 60 },
    };
    const replies: Readonly<Record<Act, ModelScript>> = {
      says: claudeSays([claudeText('It has left.')], 'end_turn', used),
      calls: claudeSays([claudeCall('get_order')], 'tool_use', used),
      'calls both': claudeSays(['get_order', 'get_price'].map(claudeCall), 'tool_use', used),
      'thinks and calls': claudeSays([thinking, claudeCall('get_order')], 'tool_use', used),
      'is cut': claudeSays([claudeText('It has ')], 'max_tokens', used),
    };
    const server = await models.server(...acts.map((act) => replies[act]));
    const options = { thinking: { type: 'enabled', budget_tokens: 1024 } };
    const model = await models.open({
      main: {
        ...{ ...bounds, provider: 'anthropic', model: 'claude-sonnet-4-5', apiKey: 'a-key-of-the-test' },
        ...{ baseUrl: server.origin, maxOutputTokens: 4096, options, ...more },
      },
    });
    return { model, requests: () => server.requests.map(({ body }) => JSON.stringify(body)) };
  },
};

const bedrock: ProviderWire = {
  source: 'Amazon Bedrock, ConverseStream, November 2026',
  usage: counted,
  back: [`"text":"${thought}"`, `"signature":"${signature}"`],
  picture: '"format":"png"',
  async open(models, acts, more) {
    const thinking: readonly BedrockEvent[] = [
      ['contentBlockDelta', { delta: { reasoningContent: { text: thought } } }],
      ['contentBlockDelta', { delta: { reasoningContent: { signature } } }],
    ];
    const used = {
      ...{ inputTokens: 200, cacheReadInputTokens: 800, cacheWriteInputTokens: 0 },
      ...{ outputTokens: 60, totalTokens: 1060 },
    };
    const replies: Readonly<Record<Act, readonly BedrockEvent[]>> = {
      says: converse([bedrockText('It has left.')], 'end_turn', used),
      calls: converse([bedrockCall('get_order')], 'tool_use', used),
      'calls both': converse(['get_order', 'get_price'].map(bedrockCall), 'tool_use', used),
      'thinks and calls': converse([thinking, bedrockCall('get_order')], 'tool_use', used),
      'is cut': converse([bedrockText('It has ')], 'max_tokens', used),
    };
    const { url, requests } = await startBedrock(...acts.map((act) => replies[act]));
    const model = await models.open({
      main: {
        ...{ ...bounds, provider: 'bedrock', model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
        ...{ apiKey: 'a-key-of-the-test', baseUrl: url, options: { region: 'eu-central-1' }, ...more },
      },
    });
    return { model, requests: () => requests.map(({ body }) => JSON.stringify(body)) };
  },
};

/** Each provider of the guide's table, by its name there. */
export const providerWires: Readonly<Record<string, ProviderWire>> = {
  openai: wireOf('openai', {
    source: 'OpenAI, chat completion chunks, November 2026',
    ...{ thinks: [], back: [], used: openAiUsage, usage: counted },
  }),
  azure: wireOf('azure', {
    source: 'Azure OpenAI, chat completion chunks, November 2026',
    ...{ thinks: [], back: [], used: openAiUsage, usage: counted },
  }),
  anthropic,
  bedrock,
  deepseek: wireOf('deepseek', {
    source: 'DeepSeek, thinking mode and context caching, November 2026',
    thinks: [{ reasoning_content: thought }],
    back: [`"reasoning_content":"${thought}"`],
    used: {
      usage: {
        ...{ prompt_tokens: 1000, completion_tokens: 60, total_tokens: 1060 },
        ...{ prompt_cache_hit_tokens: 800, prompt_cache_miss_tokens: 200 },
        prompt_tokens_details: { cached_tokens: 800 },
      },
    },
    usage: counted,
  }),
  google: wireOf('google', {
    source: 'Gemini API, OpenAI compatibility and thought signatures, November 2026',
    thinks: [],
    ofCall: { extra_content: { google: { thought_signature: signature } } },
    back: [`"thought_signature":"${signature}"`],
    // What Gemini has thought stands in the total alone.
    used: {
      usage: {
        ...{ prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1060 },
        prompt_tokens_details: { cached_tokens: 800 },
      },
    },
    usage: counted,
    callsWhole: true,
  }),
  groq: wireOf('groq', {
    source: 'Groq, reasoning and prompt caching, November 2026',
    thinks: [{ reasoning: thought }],
    back: [`"reasoning":"${thought}"`],
    used: { x_groq: { id: 'req_1', usage: openAiUsage.usage } },
    usage: counted,
    callsWhole: true,
  }),
  mistral: wireOf('mistral', {
    source: 'Mistral, chat completions and reasoning, November 2026',
    thinks: [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: thought }] }] }],
    back: [],
    used: { usage: openAiUsage.usage },
    usage: counted,
    callsWhole: true,
  }),
  ollama: wireOf('ollama', {
    source: 'Ollama, OpenAI compatibility, November 2026',
    thinks: [{ reasoning: thought }],
    back: [`"reasoning":"${thought}"`],
    used: { usage: { prompt_tokens: 1000, completion_tokens: 60, total_tokens: 1060 } },
    usage: { inputTokens: 1000, outputTokens: 60 },
    callsWhole: true,
  }),
  openrouter: wireOf('openrouter', {
    source: 'OpenRouter, reasoning tokens and usage accounting, November 2026',
    thinks: [
      { reasoning: thought, reasoning_details: [{ type: 'reasoning.text', text: thought, index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.text', signature, index: 0 }] },
    ],
    back: ['"reasoning_details":[', `"signature":"${signature}"`],
    used: { usage: { ...openAiUsage.usage, cost: 0.0012 } },
    usage: counted,
  }),
  xai: wireOf('xai', {
    source: 'xAI, reasoning and usage, November 2026',
    thinks: [{ reasoning_content: thought }],
    back: [`"reasoning_content":"${thought}"`],
    // What Grok has thought stands beside its completion.
    used: {
      usage: {
        ...{ prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1060 },
        prompt_tokens_details: { cached_tokens: 800 },
        completion_tokens_details: { reasoning_tokens: 40 },
      },
    },
    usage: counted,
    callsWhole: true,
  }),
};
