import { openModelChain, type OpenChatModelOptions, type ModelChain } from '../adapters/models/open-chat-model.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import { chatApi } from '../config/hosted-tools.ts';
import type { HelperSettings } from '../config/settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { ChatModel } from '../core/ports/chat-model.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { checkBudgets } from './budgets/check-budgets.ts';
import { noChatModel } from '../adapters/models/agents/no-chat-model.ts';
import { openAnsweringAgent } from './agents/answering-agent.ts';
import type { RemoteAgents } from './agents/remote-agents.ts';
import { withPipelines } from './chat-pipeline.ts';
import type { ComposedTools } from './compose-tools.ts';
import { keyOfModel, settingsWith, type WantedModel } from './agents/agent-models.ts';
import { openAgentModels } from './agents/open-agent-models.ts';
import type { OpenModels } from './reload/live-model.ts';

/** The services that models are opened with, beside their settings. */
export interface ModelServices extends Pick<OpenChatModelOptions, 'traced' | 'estimates' | 'leftOut' | 'windows'> {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The parts that models are opened with, beside settings and services. */
interface BuiltParts {
  readonly plugins: readonly LoadedPlugin[];
  readonly tools: ComposedTools;
  /** The models that specialists are to have, by the name of the specialist. Left out, there are no specialists. */
  readonly wanted?: ReadonlyMap<string, WantedModel> | undefined;
  /** Reaches the agent on another server that answers. Left out, none can answer. */
  readonly remotes?: Pick<RemoteAgents, 'prepare'> | undefined;
}

/**
 * The models that the settings name. Each entry is opened once. The models that answer users have the layers of plugins around them.
 * @throws StartupFaults that name the entry or the plugin at fault, or the budget that the models do not fit.
 */
export async function openModels(
  settings: HelperSettings,
  built: BuiltParts,
  services: ModelServices,
): Promise<OpenModels> {
  const { agent, chatClient, classifierChatClient = chatClient, strongChatClient } = settings;
  const { routingStrategy, routingClassifierClient = chatClient } = settings;
  const isAsked = strongChatClient !== undefined && ['Classifier', 'Cascade'].includes(routingStrategy);
  const routingClient = isAsked ? routingClassifierClient : undefined;
  const chains = new Map<ChatModel, ModelChain['tried']>();
  const opened = new Map<string, ChatModel>();
  const open = async (name: string): Promise<ChatModel> => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const { model, tried } = await openModel(name, settings, { ...built, ...services });
    chains.set(model, tried);
    opened.set(name, model);
    return model;
  };
  try {
    const classifier = classifierChatClient === undefined ? noChatModel : await open(classifierChatClient);
    if (chatClient === undefined) {
      const answering = await openAgent(agent, settings, { ...built, ...services });
      chains.set(answering.model, answering.tried);
      const models = { chat: answering.model, foreign: answering.foreign, classifier, chains };
      checkBudgets(settings, models);
      return models;
    }
    const plain = {
      chat: await open(chatClient),
      strong: strongChatClient === undefined ? undefined : await open(strongChatClient),
      classifier,
      routing: routingClient === undefined ? undefined : await open(routingClient),
    };
    const layers = { plugins: built.plugins, settings };
    const chat = await layered(plain.chat, { ...plain, chains }, layers);
    const strong =
      plain.strong && (plain.strong === plain.chat ? chat : await layered(plain.strong, { ...plain, chains }, layers));
    const agents = await openAgentModels(built.wanted ?? new Map(), settings, {
      open: async (wanted) => {
        const own = settingsWith(settings, wanted);
        const { model, tried } = await openModel(wanted.entry, own, { ...built, ...services });
        chains.set(model, tried);
        opened.set(`agents: ${keyOfModel(wanted)}`, model);
        return layered(model, { ...plain, chains }, { ...layers, settings: { ...settings, chatClient: wanted.entry } });
      },
      known: { [chatClient]: chat, ...(strong !== undefined && { [strongChatClient ?? '']: strong }) },
    });
    const models = { ...plain, chat, strong, agents, chains };
    checkBudgets(settings, models);
    return models;
  } catch (error) {
    await Promise.all([...opened.values()].map((model) => model.close()));
    throw error;
  }
}

function openAgent(
  agent: HelperSettings['agent'],
  settings: HelperSettings,
  { remotes, ...parts }: BuiltParts & ModelServices,
): ReturnType<typeof openAnsweringAgent> {
  if (agent === null) throw new Error('neither chatClient nor agent is set');
  if (remotes === undefined) throw new Error('no agent on another server can be reached');
  return openAnsweringAgent(agent, settings, { ...parts, remotes });
}

/** The models for small questions, and the chain of fallbacks of each model. */
interface PlainModels {
  readonly classifier: ChatModel;
  readonly routing: ChatModel | undefined;
  readonly chains: Map<ChatModel, ModelChain['tried']>;
}

/**
 * A model that answers users, with the layers of plugins around it. Small questions of the server itself pass no plugin. A budget may
 * choose one model of the chain to answer alone, so each of them gets the layers too.
 */
async function layered(
  model: ChatModel,
  { classifier, routing, chains }: PlainModels,
  { plugins, settings }: { readonly plugins: readonly LoadedPlugin[]; readonly settings: HelperSettings },
): Promise<ChatModel> {
  const made = await withPipelines(model, plugins, settings);
  if (made === model) return model;
  const tried = chains.get(model) ?? [];
  const alone = settings.budgets.length === 0 || tried.length < 2;
  const own: ModelChain['tried'][number][] = [];
  for (const one of tried)
    own.push({ ...one, model: alone ? made : await withPipelines(one.model, plugins, settings) });
  // The model below the layers must be closed only once. Where it also answers small questions, it closes itself and the layers close
  // nothing.
  const isAskedItself = model === classifier || model === routing;
  const chat = isAskedItself ? { ...made, close: () => Promise.resolve() } : made;
  if (!isAskedItself) chains.delete(model);
  chains.set(chat, own);
  return chat;
}

/** The entries of `models`. The entries that answer users get the API that hosted tools need. */
export function modelsWithApi(settings: HelperSettings): HelperSettings['models'] {
  const { models, chatClient = '', strongChatClient = chatClient } = settings;
  const answering = [chatClient, strongChatClient].flatMap((name) => {
    const entry = models[name];
    return entry === undefined ? [] : [[name, { ...entry, api: chatApi({ ...settings, chatClient: name }) }] as const];
  });
  return { ...models, ...Object.fromEntries(answering) };
}

async function openModel(
  name: string,
  settings: HelperSettings,
  { plugins, tools, ...services }: BuiltParts & ModelServices,
): Promise<ModelChain> {
  const { language, appName, appDescription } = settings;
  try {
    return await openModelChain({
      name,
      models: modelsWithApi(settings),
      keepsHistory: settings.useServiceManagedHistory,
      includeSensitive: settings.observabilityIncludeSensitiveData,
      pluginModels: new Map(plugins.flatMap((plugin) => [...plugin.models])),
      demo: {
        language,
        appName,
        appDescription,
        pages: () => tools.toolbox.current.pages,
        titleOf: (tool) => tools.toolbox.current.find(tool)?.title,
      },
      ...services,
    });
  } catch (error) {
    // The message begins with the entry at fault. That entry may be a fallback of the entry that was asked for.
    const message = withoutQueries(error instanceof Error ? error.message : String(error));
    const [, path = `models.${name}`, fault = message] = /^(models\.[^:]+): ([^]*)$/.exec(message) ?? [];
    throw new StartupFaults([{ file: settings.configFile, path, message: fault }]);
  }
}
