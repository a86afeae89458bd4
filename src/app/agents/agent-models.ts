import { chatApi } from '../../config/hosted-tools.ts';
import type { HelperSettings, ModelSettings } from '../../config/settings.ts';
import type { OwnModelOptions, WrittenAgent } from '../../core/agents/written-agent.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { faultAt } from './agent-faults.ts';

/** The model that an agent is to have. */
export interface WantedModel {
  /** The entry of `models`. */
  readonly entry: string;
  readonly options: OwnModelOptions;
  /** The agent has tools of the provider, which its model must be opened for though the entry alone would not. */
  readonly api?: 'responses';
  /** The name of the model that the definition wants and no entry has, as it may be shown. */
  readonly inPlaceOf?: string;
}

/** The models that the specialists are to have, by the name of the specialist, and what is wrong with them. */
export function wantedModels(
  settings: HelperSettings,
  agents: readonly WrittenAgent[],
): { readonly wanted: ReadonlyMap<string, WantedModel>; readonly faults: readonly StartupFault[] } {
  const faults: StartupFault[] = [];
  const wanted = new Map<string, WantedModel>();
  for (const agent of agents) {
    const { definition, model } = agent;
    if (definition.kind !== 'specialist') continue;
    const { id, options = {} } = model ?? {};
    const found = id === undefined ? settings.chatClient : entryOf(id, settings);
    const isReplaced = found === undefined && model?.isForeign === true && !isShared(id ?? '', settings);
    const entry = isReplaced ? settings.chatClient : found;
    if (entry === undefined) faults.push(unknownModel(agent, id ?? '', settings));
    else {
      faults.push(...optionFaults(agent, options, settings.models[entry]));
      const api = responsesFor(agent, entry, settings);
      wanted.set(definition.name, {
        ...{ entry, options },
        ...(api === undefined ? {} : { api }),
        ...(isReplaced ? { inPlaceOf: agent.modelText ?? id ?? '' } : {}),
      });
    }
  }
  return { wanted, faults };
}

/** The Responses API, where an agent needs it for its tools and the entry alone would be opened with another. */
function responsesFor({ hosted = [] }: WrittenAgent, entry: string, settings: HelperSettings): 'responses' | undefined {
  const model = settings.models[entry];
  return hosted.length > 0 && model !== undefined && isOfOpenAi(model) && apiOf(entry, settings) === 'chat'
    ? 'responses'
    : undefined;
}

/** The API that an entry is opened with where no agent asks for another. */
function apiOf(name: string, settings: HelperSettings): 'chat' | 'responses' {
  const answersUsers = name === settings.chatClient || name === settings.strongChatClient;
  return answersUsers ? chatApi({ ...settings, chatClient: name }) : (settings.models[name]?.api ?? 'chat');
}

/** An entry by its name, or else the only entry whose model has that name at its provider. */
function entryOf(id: string, { models }: Pick<HelperSettings, 'models'>): string | undefined {
  const answering = Object.entries(models).filter(([, { kind }]) => kind === 'chat');
  if (answering.some(([name]) => name === id)) return id;
  const named = answering.filter(([, entry]) => entry.model === id || entry.deployment === id);
  return named.length === 1 ? named[0]?.[0] : undefined;
}

function isShared(id: string, { models }: Pick<HelperSettings, 'models'>): boolean {
  return Object.values(models).filter((entry) => entry.model === id || entry.deployment === id).length > 1;
}

function unknownModel(agent: WrittenAgent, id: string, { models }: Pick<HelperSettings, 'models'>): StartupFault {
  const names = Object.keys(models);
  const message = isShared(id, { models })
    ? `several entries of models have the model ${agent.modelText ?? `"${id}"`}; name one of ${names.join(', ')}`
    : `${agent.modelText ?? `"${id}"`} is no entry of models that answers, nor the model of one; models has ${names.join(', ')}`;
  return faultAt(agent, agent.toolPaths === undefined ? 'model' : 'model.id', {
    message,
    meant: nearestName(id, names),
  });
}

function optionFaults(
  agent: WrittenAgent,
  options: OwnModelOptions,
  entry: ModelSettings | undefined,
): readonly StartupFault[] {
  const given = Object.keys(options);
  if (given.length === 0 || entry === undefined) return [];
  if (entry.plugin !== undefined) {
    const message = `a plugin's model takes no options of an agent, such as ${given.join(', ')}`;
    return [faultAt(agent, 'model.options', message)];
  }
  if ((options.maxOutputTokens ?? 0) < entry.contextWindow) return [];
  const message = `must be less than contextWindow of the model, which is ${String(entry.contextWindow)} tokens`;
  return [faultAt(agent, 'model.options.maxOutputTokens', message)];
}

/** Whether an agent has the model of an entry as it is. */
export function isUnchanged({ options, api }: WantedModel): boolean {
  return Object.keys(options).length === 0 && api === undefined;
}

/** Agents with the same key share one model. */
export function keyOfModel({ entry, options, api }: WantedModel): string {
  const given = Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${entry} ${api ?? ''} ${JSON.stringify(given)}`;
}

/**
 * The settings in which the entry, and the entries that it falls back to, have the options of an agent. Models of plugins and the demo model
 * have no options.
 */
export function settingsWith(settings: HelperSettings, { entry, options, api: own }: WantedModel): HelperSettings {
  const changed = Object.entries(settings.models).map(([name, model]): readonly [string, ModelSettings] => {
    if (model.kind !== 'chat' || model.plugin !== undefined || model.provider === 'demo') return [name, model];
    const api = name === entry && own !== undefined ? own : apiOf(name, settings);
    const isWire = isOfOpenAi(model) && api === 'chat';
    const { temperature, maxOutputTokens } = options;
    const further = isWire ? wireOptions(options) : packageOptions(options);
    const changes = {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      options: { ...model.options, ...further },
    };
    return [name, { ...model, ...changes, ...(isOfOpenAi(model) ? { api } : {}) }];
  });
  return { ...settings, models: Object.fromEntries<ModelSettings>(changed) };
}

function isOfOpenAi({ provider, plugin }: ModelSettings): boolean {
  return plugin === undefined && (provider === 'openai' || provider === 'azure');
}

/** The options as fields of a request to an OpenAI-compatible server. */
function wireOptions(options: OwnModelOptions): Readonly<Record<string, unknown>> {
  const { topP, topK, frequencyPenalty, presencePenalty, seed, stopSequences, additionalProperties } = options;
  return given({
    top_p: topP,
    top_k: topK,
    frequency_penalty: frequencyPenalty,
    presence_penalty: presencePenalty,
    seed,
    stop: stopSequences,
    ...additionalProperties,
  });
}

/** The options under the names of LangChain's classes. */
function packageOptions(options: OwnModelOptions): Readonly<Record<string, unknown>> {
  const { topP, topK, frequencyPenalty, presencePenalty, seed, stopSequences, additionalProperties } = options;
  return given({
    topP,
    topK,
    frequencyPenalty,
    presencePenalty,
    seed,
    stop: stopSequences,
    ...additionalProperties,
  });
}

function given(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
