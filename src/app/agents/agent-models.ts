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
}

/** The models that the specialists are to have, by the name of the specialist, and what is wrong with them. */
export function wantedModels(
  settings: Pick<HelperSettings, 'models' | 'chatClient'>,
  agents: readonly WrittenAgent[],
): { readonly wanted: ReadonlyMap<string, WantedModel>; readonly faults: readonly StartupFault[] } {
  const faults: StartupFault[] = [];
  const wanted = new Map<string, WantedModel>();
  for (const agent of agents) {
    const { definition, model } = agent;
    if (definition.kind !== 'specialist') continue;
    const { id, options = {} } = model ?? {};
    const entry = id === undefined ? settings.chatClient : entryOf(id, settings);
    if (entry === undefined) faults.push(unknownModel(agent, id ?? '', settings));
    else {
      faults.push(...optionFaults(agent, options, settings.models[entry]));
      wanted.set(definition.name, { entry, options });
    }
  }
  return { wanted, faults };
}

/** An entry by its name, or else the only entry whose model has that name at its provider. */
function entryOf(id: string, { models }: Pick<HelperSettings, 'models'>): string | undefined {
  const answering = Object.entries(models).filter(([, { kind }]) => kind === 'chat');
  if (answering.some(([name]) => name === id)) return id;
  const named = answering.filter(([, entry]) => entry.model === id || entry.deployment === id);
  return named.length === 1 ? named[0]?.[0] : undefined;
}

function unknownModel(agent: WrittenAgent, id: string, { models }: Pick<HelperSettings, 'models'>): StartupFault {
  const names = Object.keys(models);
  const isShared = Object.values(models).filter((entry) => entry.model === id || entry.deployment === id).length > 1;
  const message = isShared
    ? `several entries of models have the model ${agent.modelText ?? `"${id}"`}; name one of ${names.join(', ')}`
    : `${agent.modelText ?? `"${id}"`} is no entry of models that answers, nor the model of one; models has ${names.join(', ')}`;
  return faultAt(agent, agent.listedTools === undefined ? 'model' : 'model.id', message, nearestName(id, names));
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
export function isUnchanged({ options }: WantedModel): boolean {
  return Object.keys(options).length === 0;
}

/** Agents with the same key share one model. */
export function keyOfModel({ entry, options }: WantedModel): string {
  const given = Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${entry} ${JSON.stringify(given)}`;
}

/**
 * The settings in which the entry, and the entries that it falls back to, have the options of an agent. Models of plugins and the demo model
 * have no options.
 */
export function settingsWith(settings: HelperSettings, options: OwnModelOptions): HelperSettings {
  const changed = Object.entries(settings.models).map(([name, model]) => {
    if (model.kind !== 'chat' || model.plugin !== undefined || model.provider === 'demo') return [name, model] as const;
    const answersUsers = name === settings.chatClient || name === settings.strongChatClient;
    const api = answersUsers ? chatApi({ ...settings, chatClient: name }) : (model.api ?? 'chat');
    const isWire = (model.provider === 'openai' || model.provider === 'azure') && api === 'chat';
    const { temperature = model.temperature, maxOutputTokens = model.maxOutputTokens } = options;
    const own = isWire ? wireOptions(options) : packageOptions(options);
    return [name, { ...model, temperature, maxOutputTokens, options: { ...model.options, ...own } }] as const;
  });
  return { ...settings, models: Object.fromEntries(changed) };
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
