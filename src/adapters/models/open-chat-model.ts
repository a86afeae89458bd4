import { knownProvider } from '../../core/base/known-providers.ts';
import type { TokenEstimates } from '../../core/history/token-estimates.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { around } from './around.ts';
import type { DemoOptions } from './demo/demo-options.ts';
import { serverWindow } from './local-window.ts';
import { missingPluginModel } from './missing-plugin-model.ts';
import type { ModelSettings } from './model-settings.ts';
import { ModelWindows } from './model-windows.ts';
import { withOwnExtras } from './own-extras.ts';
import { ReplyMemory } from './reply-limits.ts';
import { tellingWords } from './telling-words.ts';
import { LeftOutTools } from './tools/left-out-tools.ts';
import { dialectOf } from './tools/schema-dialect.ts';
import { withFittingTools } from './tools/with-fitting-tools.ts';
import { withAdvice } from './with-advice.ts';
import { withConcurrency } from './with-concurrency.ts';
import { withFallbacks } from './with-fallbacks.ts';
import { withMetrics } from './with-metrics.ts';
import { withSlips } from './with-slips.ts';
import { withRetries } from './with-retries.ts';
import { withoutWindow, withWindow } from './with-window.ts';

export interface OpenChatModelOptions {
  /** The entry of `models` to open. */
  readonly name: string;
  readonly models: Readonly<Record<string, ModelSettings>>;
  /** The chat models of all loaded plugins, by name. */
  readonly pluginModels: ReadonlyMap<string, object>;
  /** The application that the demo model talks about. */
  readonly demo: DemoOptions;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'of' | 'expect'>;
  /** Wraps a model to follow its calls. Each model that is tried is wrapped by itself. Left out: nobody follows the calls. */
  readonly traced?: ((model: ChatModel) => ChatModel) | undefined;
  /** Whether faults repeat the provider's words, which may repeat what users said (`observabilityIncludeSensitiveData`). */
  readonly includeSensitive?: boolean;
  /** The memory that all calls to all entries share. Left out: the model gets one of its own. */
  readonly memory?: ReplyMemory;
  /** Whether providers with the Responses API keep conversations (contract/sessions.md#history-of-the-provider). */
  readonly keepsHistory?: boolean;
  /** Estimates how many tokens something has for a model. All users of these models share the estimates. */
  readonly estimates: TokenEstimates;
  /** The tools that providers refuse. Left out, this model alone remembers them. */
  readonly leftOut?: LeftOutTools | undefined;
  /** What is known of the windows of models. Left out, this model alone knows. */
  readonly windows?: ModelWindows | undefined;
}

/** The options with which every provider is opened. */
type OpenEntryOptions = OpenChatModelOptions & {
  readonly memory: ReplyMemory;
  readonly leftOut: LeftOutTools;
  readonly windows: ModelWindows;
};

/**
 * Opens an entry of `models` with everything that contract/models.md promises. Each entry has its own `concurrency`, retries and window.
 * Its fallbacks follow in order, each with its own fallbacks. Each model that is tried is counted once. Only the code that the entries need
 * is loaded.
 * @throws Error that names the entry, what is wrong with it and what to do.
 */
export async function openChatModel(given: OpenChatModelOptions): Promise<ChatModel> {
  return (await openModelChain(given)).model;
}

/** One of the models that are tried in order. */
export interface ChainedModel {
  /** Asks this model alone. It is closed with the whole chain. */
  readonly model: ChatModel;
  /** What bounds its calls. */
  readonly settings: Pick<ModelSettings, 'contextWindow' | 'maxOutputTokens'>;
}

/** A model that tries its fallbacks, together with the single models. */
export interface ModelChain {
  readonly model: ChatModel;
  /** The models in the order in which they are tried. There is at least one. */
  readonly tried: readonly ChainedModel[];
}

/** Like `openChatModel`, but also returns the models that are tried. */
export async function openModelChain(given: OpenChatModelOptions): Promise<ModelChain> {
  const { memory = new ReplyMemory(), leftOut = new LeftOutTools(), windows = new ModelWindows() } = given;
  const options = { ...given, memory, leftOut, windows };
  const first = await openEntry(options.name, options);
  const fallbacks: ChainedModel[] = [];
  for (const name of fallbackNames(options)) fallbacks.push(await openEntry(name, options));
  const others = fallbacks.map(({ model }) => model);
  const model = others.length === 0 ? first.model : withFallbacks(first.model, others, options.log);
  return { model: warmedAs(first.model, model), tried: [first, ...fallbacks] };
}

/** The names of all fallbacks. The fallbacks of a fallback follow right behind it. An entry is tried only once. */
function fallbackNames({ name, models }: Pick<OpenChatModelOptions, 'name' | 'models'>): readonly string[] {
  const order = new Set<string>();
  const visit = (entry: string): void => {
    if (order.has(entry)) return;
    order.add(entry);
    if (Object.hasOwn(models, entry)) models[entry]?.fallbacks.forEach(visit);
  };
  visit(name);
  return [...order].slice(1);
}

async function openEntry(name: string, options: OpenEntryOptions): Promise<ChainedModel> {
  const settings = Object.hasOwn(options.models, name) ? options.models[name] : undefined;
  if (settings === undefined) {
    throw new Error(`models.${name} does not exist; there is ${Object.keys(options.models).join(', ') || 'none'}`);
  }
  try {
    const model = await openProvider(settings, options);
    const telling = options.includeSensitive === true ? withWords(model) : model;
    const asked = withSlips(telling, options.log);
    const advised = withAdvice(asked, name);
    const limited = settings.concurrency === undefined ? advised : withConcurrency(advised, settings.concurrency);
    const retried = withRetries(limited, { maxRetries: settings.maxRetries, log: options.log });
    const counted = withMetrics(retried, options.metrics);
    const traced = options.traced?.(counted) ?? counted;
    // A provider that keeps the conversation also decides how much of it fits.
    const fitting = keepsHistory(settings, options)
      ? withoutWindow(traced)
      : withWindow(traced, settings, {
          estimates: options.estimates,
          log: options.log,
          entry: name,
          known: options.windows.at(model.extrasOf ?? `${model.provider} ${model.model}`),
          server: serverWindow(settings, options.log),
        });
    const answering = warmedAs(model, withOwnExtras(fitting, model));
    return { model: withTools(answering, settings, options), settings };
  } catch (error) {
    throw new Error(`models.${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The demo model reads the tools as they are. */
function withTools(model: ChatModel, settings: ModelSettings, { leftOut, log }: OpenEntryOptions): ChatModel {
  if (model.isDemo) return model;
  const dialect = dialectOf({ ...settings, model: model.model });
  return withFittingTools(model, { dialect, leftOut, log });
}

/** Makes the outer model warm up with the inner one. */
function warmedAs(model: ChatModel, around: ChatModel): ChatModel {
  if (model.warmUp === undefined || model === around) return around;
  return { ...around, warmUp: (coordinator, signal) => model.warmUp?.(coordinator, signal) ?? Promise.resolve() };
}

function withWords(model: ChatModel): ChatModel {
  return around(model, (request, sink) => tellingWords(model.run(request, sink)));
}

function keepsHistory({ api, plugin }: ModelSettings, options: OpenEntryOptions): boolean {
  return options.keepsHistory === true && api === 'responses' && plugin === undefined;
}

/** Every branch loads its own packages, so a start with the demo model loads none of them. */
async function openProvider(settings: ModelSettings, options: OpenEntryOptions): Promise<ChatModel> {
  if (settings.plugin !== undefined) {
    const chat = options.pluginModels.get(settings.plugin);
    if (chat === undefined) throw new Error(missingPluginModel(settings.plugin, options.pluginModels));
    turnTracingOff();
    const { openPluginModel } = await import('./langchain/open-langchain.ts');
    return openPluginModel(settings, { chat, name: settings.plugin, memory: options.memory, log: options.log });
  }
  switch (settings.provider) {
    case undefined:
      throw new Error('provider or plugin is missing');
    case 'demo': {
      const { openDemo } = await import('./demo/open-demo.ts');
      return openDemo(settings, options.demo);
    }
    case 'openai':
    case 'azure':
      return openOpenAi(settings, options);
    default:
      return openOther(settings, settings.provider, options);
  }
}

/** A provider that is named without its address or package, or else a package. */
async function openOther(settings: ModelSettings, provider: string, options: OpenEntryOptions): Promise<ChatModel> {
  const known = knownProvider(provider);
  if (known?.baseUrl !== undefined) return openOpenAi({ ...settings, api: 'chat' }, options);
  turnTracingOff();
  if (known?.package !== undefined) {
    const { openNamedModel } = await import('./langchain/open-named.ts');
    return openNamedModel(settings, known.package, options);
  }
  const { openPackageModel } = await import('./langchain/open-langchain.ts');
  return openPackageModel(settings, { provider, package: provider }, options);
}

async function openOpenAi(settings: ModelSettings, options: OpenEntryOptions): Promise<ChatModel> {
  const { memory, log } = options;
  turnTracingOff();
  if (settings.api === 'responses') {
    const { openResponses } = await import('./langchain/open-langchain.ts');
    return openResponses(settings, { memory, log, keepsHistory: keepsHistory(settings, options) });
  }
  const { openOpenAiWire } = await import('./openai-wire/open-openai-wire.ts');
  return openOpenAiWire(settings, { memory, log });
}

/** LangChain would send every prompt to a third party when one of these is set for another program. */
function turnTracingOff(): void {
  for (const name of ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2']) {
    if (process.env[name] !== undefined) process.env[name] = 'false';
  }
}
