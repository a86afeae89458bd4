import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChatModel } from '../../../core/ports/chat-model.ts';
import { objectOf, textOf } from '../json-values.ts';
import { secretCleaner } from '../model-secrets.ts';
import type { ModelSettings } from '../model-settings.ts';
import type { ReplyMemory } from '../reply-limits.ts';
import { boundFetchedLines } from './bounded-fetch.ts';
import { LangChainChatModel, type LangChainChatModelOptions } from './langchain-chat-model.ts';
import { isStreamingModel, type StreamingModel } from './streaming-model.ts';

const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;

/** Builds the model of an `openai` or `azure` entry with `api: responses`. @throws Error that names what is missing. */
export async function openResponses(
  settings: ModelSettings,
  { memory, keepsHistory }: { readonly memory: ReplyMemory; readonly keepsHistory: boolean },
): Promise<ChatModel> {
  const isAzure = settings.provider === 'azure';
  const model = settings.model ?? settings.deployment;
  if (model === undefined) throw new Error(isAzure ? 'deployment is missing' : 'model is missing');
  if (isAzure && settings.endpoint === undefined) throw new Error('endpoint is missing');
  const azureUrl = `${settings.endpoint?.replace(/\/+$/, '') ?? ''}/openai/v1`;
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
  const chat = await construct('@langchain/openai', 'ChatOpenAI', options(settings));
  const exact = await construct('@langchain/openai', 'ChatOpenAI', options({ ...settings, temperature: 0 }));
  const provider = isAzure ? 'azure' : 'openai';
  return adapted(chat, settings, { exact, model, provider, namesItsEnd: true, keepsHistory, memory });
}

/** Builds a model of an installed LangChain package. @throws Error that names the package or class and what to do. */
export async function openPackageModel(
  settings: ModelSettings,
  provider: string,
  memory: ReplyMemory,
): Promise<ChatModel> {
  const chat = await construct(provider, settings.class, commonOptions(settings));
  const exact = await construct(provider, settings.class, { ...commonOptions(settings), temperature: 0 });
  const model = settings.model ?? nameOf(chat) ?? provider;
  return adapted(chat, settings, { exact, model, provider, namesItsEnd: false, memory });
}

/** Puts a plugin's model behind the port. @throws Error when it is not a LangChain chat model. */
export function openPluginModel(
  settings: ModelSettings,
  plugin: { readonly chat: object; readonly name: string; readonly memory: ReplyMemory },
): ChatModel {
  const { chat, name, memory } = plugin;
  if (!isStreamingModel(chat)) throw new Error(`the plugin's model "${name}" is not a LangChain chat model`);
  boundFetchedLines();
  return adapted(chat, settings, {
    model: settings.model ?? nameOf(chat) ?? name,
    provider: 'plugin',
    namesItsEnd: false,
    memory,
  });
}

/** The package must not retry by itself: this server retries, and only before the first token. */
function commonOptions(settings: ModelSettings): Readonly<Record<string, unknown>> {
  if (settings.options?.['streaming'] !== undefined)
    throw new Error('options.streaming must be left out: replies always stream');
  const { model, apiKey, temperature, maxOutputTokens } = settings;
  return {
    ...(model === undefined ? {} : { model }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(temperature === undefined ? {} : { temperature }),
    // One limit under two names: packages differ, and ignore the name that they do not know.
    ...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens, maxOutputTokens }),
    ...settings.options,
    maxRetries: 0,
  };
}

async function construct(
  provider: string,
  className: string | undefined,
  options: Readonly<Record<string, unknown>>,
): Promise<StreamingModel> {
  // Packages take the platform's `fetch` when they are loaded or constructed.
  boundFetchedLines();
  const exported = await importPackage(provider);
  const classes = Object.keys(exported).filter((name) => name.startsWith('Chat'));
  if (className === undefined) {
    throw new Error(`class is missing: the package ${provider} exports ${classes.join(', ') || 'no chat model'}`);
  }
  const constructor = exported[className];
  if (typeof constructor !== 'function') {
    throw new Error(
      `the package ${provider} exports no class ${className}; it has ${classes.join(', ') || 'no chat model'}`,
    );
  }
  const model: unknown = Reflect.construct(constructor, [options]);
  if (!isStreamingModel(model)) throw new Error(`${className} of ${provider} is not a LangChain chat model`);
  return model;
}

/**
 * Resolves a package from where the server is installed, else from the working directory, where a project keeps its own
 * packages.
 */
async function importPackage(name: string): Promise<Readonly<Record<string, unknown>>> {
  if (!packageName.test(name)) {
    throw new Error(
      `provider ${JSON.stringify(name)} is unknown: use openai, azure, demo or the name of a LangChain package`,
    );
  }
  try {
    return await importModule(name);
  } catch (error) {
    if (!isMissing(error, name)) throw error;
  }
  try {
    const local = createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return await importModule(pathToFileURL(local).href);
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new Error(`the package ${name} is not installed: run \`npm i ${name}\``, { cause: error });
  }
}

async function importModule(specifier: string): Promise<Readonly<Record<string, unknown>>> {
  const imported: unknown = await import(specifier);
  const fields = objectOf(imported) ?? {};
  // A package in the older module format has everything under `default`.
  return { ...objectOf(fields['default']), ...fields };
}

/** Whether the package itself is missing, and not one that it needs in turn. */
function isMissing(error: unknown, name: string): boolean {
  const fields = objectOf(error);
  const code = fields?.['code'];
  const notFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return notFound && (textOf(fields?.['message'])?.includes(`'${name}'`) ?? false);
}

function nameOf(chat: StreamingModel): string | undefined {
  const fields = objectOf(chat);
  return textOf(fields?.['model']) ?? textOf(fields?.['modelName']);
}

function adapted(
  chat: StreamingModel,
  settings: ModelSettings,
  about: Pick<LangChainChatModelOptions, 'exact' | 'model' | 'provider' | 'namesItsEnd' | 'keepsHistory' | 'memory'>,
): ChatModel {
  const clean = secretCleaner(settings);
  const { timeout: timeoutMs, totalTimeout: totalTimeoutMs } = settings;
  return new LangChainChatModel({ ...about, chat, timeoutMs, totalTimeoutMs, limits: settings, clean });
}
