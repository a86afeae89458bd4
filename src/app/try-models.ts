import { openEmbedder } from '../adapters/models/embeddings/open-embedder.ts';
import { openChatModel } from '../adapters/models/open-chat-model.ts';
import { describeError } from '../adapters/shared/describe-error.ts';
import type { HelperSettings } from '../config/settings.ts';
import { ModelError, type ModelReply, type ModelRequest } from '../core/ports/chat-model.ts';
import type { CoreParts } from './open-core.ts';
import { modelsWithApi } from './open-models.ts';
import { type ModelReport, reportModels } from './model-report.ts';

/** Most milliseconds for one entry. */
const longestMs = 30_000;
/** Enough for a model that thinks before it calls. */
const mostOutputTokens = 1_024;

/** What an entry of `models` has answered to a small question. */
export interface ModelTrial {
  readonly name: string;
  readonly ok: boolean;
  /** `nothing`: the model has answered, but has thought until its few tokens were used up. Null where it failed. */
  readonly said: 'call' | 'text' | 'vector' | 'nothing' | null;
  /** As the provider counts them; 0 where it does not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** How many numbers a vector has; null for models that answer. */
  readonly dimensions: number | null;
  readonly durationMs: number;
  readonly fault: ModelTrialFault | null;
}

/** Why an entry failed. Nothing of it is secret. */
export interface ModelTrialFault {
  readonly message: string;
  /** What to do, as one sentence; null where nothing is known to help. */
  readonly advice: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly param: string | null;
}

type Answer = Pick<ModelTrial, 'said' | 'inputTokens' | 'outputTokens' | 'dimensions'>;
type Parts = Pick<CoreParts, 'settings' | 'prepared' | 'log' | 'metrics' | 'estimates'>;

const confirm = {
  name: 'confirm',
  description: 'Confirms that tools can be called.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word to confirm with.' } },
    required: ['word'],
    additionalProperties: false,
  },
} as const;

/** A question that has nothing of the user's, and one tool. */
function question(signal: AbortSignal): ModelRequest {
  return {
    instructions: 'This is a test of the connection. Do what the user asks, in as few words as possible.',
    messages: [{ role: 'user', text: 'Call the tool confirm with the word "ready".' }],
    tools: [confirm],
    toolChoice: 'auto',
    signal,
    flow: { paused: false, onResume: () => undefined },
  };
}

/**
 * Asks each entry of `models` one small question, once and without its fallbacks, those that nothing uses included. Entries with one
 * address are asked one after the other, because a server of one's own may load one model at a time.
 */
export async function tryModels(parts: Parts): Promise<readonly ModelTrial[]> {
  const reports = reportModels(parts.settings);
  const places = Map.groupBy(reports, ({ at, name }) => at ?? name);
  const tried = await Promise.all(
    [...places.values()].map(async (entries) => {
      const trials: ModelTrial[] = [];
      for (const entry of entries) trials.push(await tryModel(entry, parts));
      return trials;
    }),
  );
  const trials = new Map(tried.flat().map((trial) => [trial.name, trial]));
  return reports.flatMap(({ name }) => trials.get(name) ?? []);
}

async function tryModel({ name, kind }: ModelReport, parts: Parts): Promise<ModelTrial> {
  const startedAt = performance.now();
  const nothing = { said: null, inputTokens: 0, outputTokens: 0, dimensions: null } as const;
  const ended = (answer: Answer, fault: ModelTrialFault | null): ModelTrial => ({
    name,
    ok: fault === null,
    ...answer,
    durationMs: Math.round(performance.now() - startedAt),
    fault,
  });
  const signal = AbortSignal.timeout(longestMs);
  try {
    return ended(
      await (kind === 'embeddings' ? tryEmbeddings(name, parts, signal) : tryChat(name, parts, signal)),
      null,
    );
  } catch (error) {
    // A model that thinks may use up the few tokens that it is given here. All that this asks for works.
    if (error instanceof ModelError && error.code === 'model_no_reply')
      return ended({ ...nothing, said: 'nothing' }, null);
    return ended(nothing, faultOf(error, signal));
  }
}

async function tryChat(name: string, parts: Parts, signal: AbortSignal): Promise<Answer> {
  const { settings, prepared, log, metrics, estimates } = parts;
  const model = await openChatModel({
    name,
    models: boundedModels(settings, name),
    pluginModels: pluginModelsOf(prepared.plugins),
    demo: {
      language: settings.language,
      appName: settings.appName,
      appDescription: settings.appDescription,
      pages: () => [],
      titleOf: () => undefined,
    },
    ...{ log, estimates, metrics: metrics.metrics },
  });
  try {
    const { usage, ...reply } = await model.run(question(signal), { text: () => undefined });
    return { said: saidIn(reply), inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, dimensions: null };
  } finally {
    await model.close();
  }
}

function saidIn({ toolCalls }: Pick<ModelReply, 'toolCalls'>): 'call' | 'text' {
  return toolCalls.some((call) => call.name === confirm.name) ? 'call' : 'text';
}

async function tryEmbeddings(name: string, parts: Parts, signal: AbortSignal): Promise<Answer> {
  const { settings, prepared, log, metrics } = parts;
  const pluginModels = pluginModelsOf(prepared.plugins);
  const models = boundedModels(settings, name);
  const embedder = await openEmbedder({ name, models, pluginModels, log, metrics: metrics.metrics });
  try {
    const [first] = await embedder.embed({ texts: ['A test of the connection.'], purpose: 'question', signal });
    if (first === undefined || 'fault' in first) throw new Error(`the vector ${first?.fault ?? 'is missing'}`);
    return { said: 'vector', inputTokens: 0, outputTokens: 0, dimensions: first.vector.length };
  } finally {
    await embedder.close();
  }
}

function pluginModelsOf(plugins: Parts['prepared']['plugins']): ReadonlyMap<string, object> {
  return new Map(plugins.flatMap((plugin) => [...plugin.models]));
}

/** The entry alone, asked once, for a short answer. */
function boundedModels(settings: HelperSettings, name: string): HelperSettings['models'] {
  const entry = modelsWithApi(settings)[name];
  if (entry === undefined) return {};
  const { maxOutputTokens = mostOutputTokens, timeout } = entry;
  const bounds = {
    maxRetries: 0,
    fallbacks: [],
    timeout: timeout === 0 ? longestMs : Math.min(timeout, longestMs),
    totalTimeout: longestMs,
    maxOutputTokens: Math.min(maxOutputTokens, mostOutputTokens),
  };
  return { [name]: { ...entry, ...bounds } };
}

function faultOf(error: unknown, signal: AbortSignal): ModelTrialFault {
  if (error instanceof ModelError) {
    const { message, site, status, providerCode, param } = error;
    return {
      message,
      advice: site?.advice ?? null,
      status: status ?? null,
      code: providerCode ?? null,
      param: param ?? null,
    };
  }
  const message = signal.aborted ? `no answer within ${String(longestMs)} ms` : describeError(error);
  return { message, advice: null, status: null, code: null, param: null };
}
