import { type KnownProvider, knownProvider, knownProviders } from '../../core/base/known-providers.ts';
import { chatApi } from '../hosted-tools.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import { keysOf } from '../schema/setting-schema.ts';
import { modelSchema } from '../schema/models.schema.ts';
import type { ModelSettings } from '../settings.ts';
import type { Rule, RuleFault } from './rule.ts';

type ModelField = keyof ModelSettings;

interface ProviderNeeds {
  readonly title: string;
  readonly needs: readonly ModelField[];
  readonly takes: readonly ModelField[];
}

/** Fields that say how a model is called, for every provider. */
const callFields = [
  'contextWindow',
  'timeout',
  'totalTimeout',
  'maxLineBytes',
  'maxReplyBytes',
  'maxRetries',
  'fallbacks',
  'concurrency',
] as const satisfies readonly ModelField[];
const wireFields = [
  'showThinking',
  'temperature',
  'maxOutputTokens',
  'headers',
  'api',
  'apiKey',
  'options',
] as const satisfies readonly ModelField[];

const ownNames = ['openai', 'azure', 'demo'] as const;
const names: readonly string[] = [...ownNames, ...Object.keys(knownProviders)];
const allowedProviders = `${names.join(', ')} or the name of a LangChain package`;

const providers: Readonly<Record<(typeof ownNames)[number] | 'package' | 'plugin', ProviderNeeds>> = {
  openai: { title: 'the provider openai', needs: ['model', 'apiKey'], takes: [...wireFields, 'baseUrl'] },
  azure: {
    title: 'the provider azure',
    needs: ['endpoint', 'deployment', 'apiVersion', 'apiKey'],
    takes: [...wireFields, 'model'],
  },
  demo: { title: 'the provider demo', needs: [], takes: ['options'] },
  package: {
    title: 'a LangChain package',
    needs: ['class'],
    takes: ['model', 'apiKey', 'showThinking', 'temperature', 'maxOutputTokens', 'options'],
  },
  plugin: { title: "a plugin's model", needs: [], takes: ['model', 'showThinking'] },
};

/** Fields without a meaning for entries with `kind: embeddings`, because these models answer nothing. */
const answerFields: readonly ModelField[] = ['showThinking', 'temperature', 'maxOutputTokens', 'api', 'fallbacks'];

/** Each entry of `models` has what its provider needs, and nothing that would have no effect (contract/models.md). */
export const modelFieldsRule: Rule = ({ models }) =>
  Object.entries(models).flatMap(([name, model]) => modelFaults(name, model));

function modelFaults(name: string, model: ModelSettings): readonly RuleFault[] {
  const path = ['models', name] as const;
  if (model.provider !== undefined && model.plugin !== undefined) {
    return [{ path: [...path, 'plugin'], message: 'a model has a provider or a plugin, not both' }];
  }
  if (model.provider === undefined && model.plugin === undefined) {
    const message = `missing; allowed: ${allowedProviders} (or plugin in its place)`;
    return [{ path: [...path, 'provider'], message, follows: [...path, 'plugin'] }];
  }
  const kind = kindOf(model);
  if (kind === 'package' && !isPackageName(model.provider ?? '')) {
    return [{ path: [...path, 'provider'], ...unknownProvider(model.provider ?? '') }];
  }
  if (model.kind === 'embeddings' && kind === 'demo') {
    return [
      {
        path: [...path, 'provider'],
        message: 'the demo model has no embeddings; allowed: openai, azure or the name of a LangChain package',
      },
    ];
  }
  const known = knownProvider(model.provider);
  if (model.kind === 'embeddings' && known !== undefined && known.hasEmbeddings !== true) {
    const message = `${known.title} makes no vectors here; name another provider`;
    return [{ path: [...path, 'provider'], message }];
  }
  const { title, needs, takes } = known === undefined || kind !== 'package' ? providers[kind] : needsOf(known, model);
  const missing = needs
    .filter((field) => model[field] === undefined)
    .map((field): RuleFault => ({ path: [...path, field], ...missingField(field, title, model) }));
  const allowed: readonly string[] = ['kind', 'provider', 'plugin', ...callFields, ...needs, ...takes];
  const idle = keysOf(modelSchema)
    .filter((field) => !allowed.includes(field) && isGiven(model, field))
    .map((field): RuleFault => ({ path: [...path, field], message: `has no effect with ${title}; remove it` }));
  return [
    ...missing,
    ...idle,
    ...(model.kind === 'embeddings' ? answerFaults(path, model) : windowFaults(path, model)),
  ];
}

function answerFaults(path: readonly [string, string], model: ModelSettings): readonly RuleFault[] {
  return answerFields
    .filter((field) => isGiven(model, field))
    .map((field) => ({ path: [...path, field], message: 'has no effect with kind: embeddings; remove it' }));
}

function windowFaults(
  path: readonly [string, string],
  { contextWindow, maxOutputTokens = 0 }: ModelSettings,
): readonly RuleFault[] {
  if (maxOutputTokens < contextWindow) return [];
  const message = `must be less than contextWindow, which is ${String(contextWindow)} tokens`;
  return [{ path: [...path, 'maxOutputTokens'], message }];
}

function kindOf(model: ModelSettings): keyof typeof providers {
  if (model.plugin !== undefined) return 'plugin';
  const { provider } = model;
  return ownNames.find((name) => name === provider) ?? 'package';
}

/** What an entry of a provider that is named needs, and takes beside that. */
function needsOf({ title, needsKey }: KnownProvider, { provider }: ModelSettings): ProviderNeeds {
  const needs: readonly ModelField[] = needsKey ? ['model', 'apiKey'] : ['model'];
  const takes: readonly ModelField[] = [
    'showThinking',
    'temperature',
    'maxOutputTokens',
    'apiKey',
    'baseUrl',
    'options',
  ];
  // The client of AWS signs what it sends, so nothing is added to it.
  return { title, needs, takes: provider === 'bedrock' ? takes : [...takes, 'headers'] };
}

function isPackageName(name: string): boolean {
  return /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name);
}

function unknownProvider(provider: string): { message: string; suggestion?: string } {
  return withSuggestion(`not a provider; allowed: ${allowedProviders}`, providerNear(provider));
}

function providerNear(provider: string): string | undefined {
  return nearestName(provider, names);
}

function missingField(
  field: ModelField,
  title: string,
  model: ModelSettings,
): { message: string; suggestion?: string } {
  if (field === 'apiKey') return { message: `missing; ${title} needs it (write none for a server that wants no key)` };
  if (field !== 'class') return { message: `missing; ${title} needs it` };
  const provider = model.provider ?? '';
  const near = providerNear(provider);
  return withSuggestion(
    `missing; ${provider} is taken for a LangChain package, which needs the name of its chat model class`,
    near === undefined ? undefined : `provider: ${near}`,
  );
}

/** Whether the file sets the field. A value that equals the default counts as not set. */
function isGiven(model: ModelSettings, field: string): boolean {
  const value: unknown = Object.entries(model).find(([key]) => key === field)?.[1];
  if (value === undefined || (field === 'api' && value === 'chat')) return false;
  if (field === 'showThinking') return value !== false;
  if (field === 'fallbacks') return model.fallbacks.length > 0;
  return field !== 'headers' || Object.keys(model.headers).length > 0;
}

/** Either a model or an agent answers, and an agent has one form (contract/agents.md#an-agent-that-answers). */
export const answererRule: Rule = ({ chatClient, agent }) => {
  if (agent === null) {
    const message = 'missing; name the entry of models that answers here, or the agent that does in agent';
    return chatClient === undefined ? [{ path: ['chatClient'], message, follows: ['agent'] }] : [];
  }
  const both = 'both chatClient and agent are set, and only one of them can answer; remove one';
  const faults: RuleFault[] =
    chatClient === undefined ? [] : [{ path: ['agent'], message: both, follows: ['chatClient'] }];
  // Until this rule has passed, the file may have set both members, or none.
  const { a2a, plugin, headers }: { readonly a2a?: string; readonly plugin?: string; readonly headers: object } = agent;
  if ((a2a === undefined) === (plugin === undefined)) {
    const message = 'must have either a2a, the address of an agent, or plugin, the name of an agent of a plugin';
    return [...faults, { path: ['agent'], message }];
  }
  if (a2a !== undefined && !URL.canParse(a2a))
    faults.push({ path: ['agent', 'a2a'], message: 'is no address; check its host and its port' });
  if (plugin !== undefined && Object.keys(headers).length > 0)
    faults.push({ path: ['agent', 'headers'], message: 'has no effect with plugin; remove it' });
  return faults;
};

/**
 * Every setting that names a model must name an entry of `models` of the right kind. No chain of fallbacks may come back to its start
 * (contract/models.md#embeddings).
 */
export const modelNamesRule: Rule = ({ chatClient, embeddingGenerator, models, ragSources, ...named }) => {
  const names = Object.keys(models);
  const wrong = (path: RuleFault['path'], name: string, kind: ModelSettings['kind'] = 'chat'): RuleFault[] => {
    if (Object.hasOwn(models, name)) return kindFaults(path, name, { kind, models });
    const known = names.length === 0 ? 'models is empty' : `models has ${names.join(', ')}`;
    return [
      {
        path,
        follows: ['models'],
        showsValue: true,
        ...withSuggestion(`names no entry of models; ${known}`, nearestName(name, names)),
      },
    ];
  };
  const fallbacks = Object.entries(models).flatMap(([name, model]) =>
    model.fallbacks.flatMap((fallback, index) => wrong(['models', name, 'fallbacks', index], fallback, model.kind)),
  );
  const circles = names
    .filter((name) => reaches(name, name, models))
    .map((name): RuleFault => ({ path: ['models', name, 'fallbacks'], message: `leads back to ${name} itself` }));
  const chats = [
    { path: ['chatClient'], name: chatClient },
    { path: ['classifierChatClient'], name: named.classifierChatClient },
    { path: ['strongChatClient'], name: named.strongChatClient },
    { path: ['routingClassifierClient'], name: named.routingClassifierClient },
  ].flatMap(({ path, name }) => (name === undefined ? [] : wrong(path, name)));
  const vectors = [
    { path: ['embeddingGenerator'], name: embeddingGenerator },
    ...ragSources.map(({ embeddings }, index) => ({ path: ['ragSources', index, 'embeddings'], name: embeddings })),
  ].flatMap(({ path, name }) => (name === undefined ? [] : wrong(path, name, 'embeddings')));
  return [...chats, ...vectors, ...fallbacks, ...circles];
};

function kindFaults(
  path: RuleFault['path'],
  name: string,
  { kind, models }: { readonly kind: ModelSettings['kind']; readonly models: Readonly<Record<string, ModelSettings>> },
): RuleFault[] {
  if (models[name]?.kind === kind) return [];
  const needed = kind === 'chat' ? 'a model that answers, and' : 'an entry with kind: embeddings, and';
  const is = kind === 'chat' ? 'has kind: embeddings' : 'is a model that answers';
  return [{ path, message: `must name ${needed} models.${name} ${is}`, follows: ['models', name, 'kind'] }];
}

/**
 * `useServiceManagedHistory` needs the Responses API: only that API can continue from a history that the provider keeps
 * (contract/sessions.md#history-of-the-provider).
 */
export const serviceHistoryRule: Rule = (settings) => {
  const { useServiceManagedHistory, chatClient, models } = settings;
  // Beside an agent the option has no effect, and the start warns of it.
  if (chatClient === undefined) return [];
  const isKnown = Object.hasOwn(models, chatClient);
  if (!useServiceManagedHistory || !isKnown || chatApi(settings) === 'responses') return [];
  const message = `${chatClient} keeps no history; this takes a model of openai or azure with api: responses`;
  return [{ path: ['useServiceManagedHistory'], message, follows: ['models'] }];
};

function reaches(from: string, goal: string, models: Readonly<Record<string, ModelSettings>>): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const next = Object.hasOwn(models, name) ? (models[name]?.fallbacks ?? []) : [];
    if (next.includes(goal)) return true;
    for (const fallback of next) {
      if (!seen.has(fallback)) waiting.push(fallback);
      seen.add(fallback);
    }
  }
  return false;
}

/** A fault that also names the value which was probably meant. */
export function withSuggestion(
  message: string,
  suggestion: string | undefined,
): { message: string; suggestion?: string } {
  return suggestion === undefined ? { message } : { message, suggestion };
}
