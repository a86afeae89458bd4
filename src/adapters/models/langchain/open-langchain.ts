import type { ChatModel } from '../../../core/ports/chat-model.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { objectOf, textOf } from '../json-values.ts';
import { secretCleaner } from '../model-secrets.ts';
import type { ModelSettings } from '../model-settings.ts';
import type { ReplyMemory } from '../reply-limits.ts';
import type { PromptCache } from './anthropic-cache.ts';
import { boundFetchedLines } from './bounded-fetch.ts';
import { LangChainChatModel, type LangChainChatModelOptions } from './langchain-chat-model.ts';
import { construct, type WantedClass } from './package-class.ts';
import { isStreamingModel, type StreamingModel } from './streaming-model.ts';

/** What all models of LangChain share. */
export interface LangChainServices {
  readonly memory: ReplyMemory;
  readonly log: Pick<Logger, 'debug'>;
}

/** Builds the model of an `openai` or `azure` entry with `api: responses`. @throws Error that names what is missing. */
export async function openResponses(
  settings: ModelSettings,
  { memory, log, keepsHistory }: LangChainServices & { readonly keepsHistory: boolean },
): Promise<ChatModel> {
  const isAzure = settings.provider === 'azure';
  const model = settings.model ?? settings.deployment;
  if (model === undefined) throw new Error(isAzure ? 'deployment is missing' : 'model is missing');
  if (isAzure && settings.endpoint === undefined) throw new Error('endpoint is missing');
  const azureUrl = `${settings.endpoint?.replace(/(?<!\/)\/+$/, '') ?? ''}/openai/v1`;
  const baseURL = isAzure ? azureUrl : settings.baseUrl;
  const options = (given: ModelSettings): Readonly<Record<string, unknown>> => ({
    ...commonOptions(given),
    model: isAzure ? (settings.deployment ?? model) : model,
    apiKey: settings.apiKey ?? 'none',
    useResponsesApi: true,
    configuration: {
      ...(baseURL === undefined ? {} : { baseURL }),
      defaultHeaders: { ...(isAzure ? { 'api-key': settings.apiKey ?? '' } : {}), ...settings.headers },
    },
  });
  const openAi = { provider: '@langchain/openai', className: 'ChatOpenAI' };
  const chat = await construct(chatModel, openAi, options(settings));
  const exact = await construct(chatModel, openAi, options({ ...settings, temperature: 0 }));
  // The package does not send a choice of tools that is a word, so the choice is put into the body in another way.
  const choosing = {
    none: await construct(chatModel, openAi, choosingTools(options(settings), 'none')),
    required: await construct(chatModel, openAi, choosingTools(options(settings), 'required')),
  };
  const provider = isAzure ? 'azure' : 'openai';
  return adapted(chat, settings, {
    exact,
    model,
    provider,
    namesItsEnd: true,
    keepsHistory,
    hasHostedTools: true,
    choosing,
    memory,
    log,
    extrasOf: `${baseURL ?? 'openai'} ${model}`,
  });
}

/** The options of the same model with this choice of tools in every request. */
function choosingTools(
  options: Readonly<Record<string, unknown>>,
  choice: 'none' | 'required',
): Readonly<Record<string, unknown>> {
  return { ...options, modelKwargs: { ...objectOf(options['modelKwargs']), tool_choice: choice } };
}

/** Builds a model of an installed LangChain package. @throws Error that names the package or class and what to do. */
export async function openPackageModel(
  settings: ModelSettings,
  { provider, package: name }: { readonly provider: string; readonly package: string },
  { memory, log, cache }: LangChainServices & { readonly cache?: PromptCache | undefined },
): Promise<ChatModel> {
  const named = { provider: name, className: settings.class };
  const chat = await construct(chatModel, named, commonOptions(settings));
  const exact = await construct(chatModel, named, { ...commonOptions(settings), temperature: 0 });
  const model = settings.model ?? nameOf(chat) ?? provider;
  // What a provider signs is of no use at another address or in another region.
  const place = settings.baseUrl ?? textOf(settings.options?.['region']) ?? '';
  const extrasOf = `${provider} ${settings.class ?? ''} ${place} ${model}`;
  return adapted(chat, settings, { exact, model, provider, namesItsEnd: false, memory, log, extrasOf, cache });
}

/** Puts a plugin's model behind the port. @throws Error when it is not a LangChain chat model. */
export function openPluginModel(
  settings: ModelSettings,
  plugin: LangChainServices & { readonly chat: object; readonly name: string },
): ChatModel {
  const { chat, name, memory, log } = plugin;
  if (!isStreamingModel(chat)) throw new Error(`the plugin's model "${name}" is not a LangChain chat model`);
  boundFetchedLines();
  const model = settings.model ?? nameOf(chat) ?? name;
  const extrasOf = `plugin ${name} ${model}`;
  return adapted(chat, settings, { model, provider: 'plugin', namesItsEnd: false, memory, log, extrasOf });
}

/** The package must not retry by itself, because this server retries, and only before the first token. */
function commonOptions(settings: ModelSettings): Readonly<Record<string, unknown>> {
  if (settings.options?.['streaming'] !== undefined)
    throw new Error('options.streaming must be left out: replies always stream');
  const { model, apiKey, temperature, maxOutputTokens } = settings;
  return {
    ...(model === undefined ? {} : { model }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(temperature === undefined ? {} : { temperature }),
    // The limit is given under two names. Packages use different names, and ignore the other one.
    ...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens, maxOutputTokens }),
    ...settings.options,
    maxRetries: 0,
  };
}

/** How a class of chat models is recognised. */
const chatModel: WantedClass<StreamingModel> = {
  title: 'chat model',
  isNamed: (name) => name.startsWith('Chat'),
  is: isStreamingModel,
};

function nameOf(chat: StreamingModel): string | undefined {
  const fields = objectOf(chat);
  return textOf(fields?.['model']) ?? textOf(fields?.['modelName']);
}

function adapted(
  chat: StreamingModel,
  settings: ModelSettings,
  about: Omit<
    LangChainChatModelOptions,
    'chat' | 'timeoutMs' | 'totalTimeoutMs' | 'limits' | 'clean' | 'showsThoughts'
  >,
): ChatModel {
  const clean = secretCleaner(settings);
  const { timeout: timeoutMs, totalTimeout: totalTimeoutMs } = settings;
  const showsThoughts = settings.showThinking === 'summary';
  return new LangChainChatModel({ ...about, chat, timeoutMs, totalTimeoutMs, limits: settings, clean, showsThoughts });
}
