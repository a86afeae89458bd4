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
import { withPipelines } from './chat-pipeline.ts';
import type { ComposedTools } from './compose-tools.ts';
import type { OpenModels } from './reload/live-model.ts';

/** What a model is opened with, beside its settings. */
export interface ModelServices extends Pick<OpenChatModelOptions, 'traced' | 'estimates'> {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What models are opened with, beside settings and services. */
interface BuiltParts {
  readonly plugins: readonly LoadedPlugin[];
  readonly tools: ComposedTools;
}

/**
 * The models that the settings name, each entry once, and what plugins make around the one that answers users.
 * @throws StartupFaults that name the entry or the plugin at fault, or the budget that the models do not fit.
 */
export async function openModels(
  settings: HelperSettings,
  built: BuiltParts,
  services: ModelServices,
): Promise<OpenModels> {
  const { chatClient, classifierChatClient = chatClient } = settings;
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
    const model = await open(chatClient);
    const classifier = await open(classifierChatClient);
    const chat = await layered(model, { classifier, chains }, { plugins: built.plugins, settings });
    const models = { chat, classifier, chains };
    checkBudgets(settings, models);
    return models;
  } catch (error) {
    await Promise.all([...opened.values()].map((model) => model.close()));
    throw error;
  }
}

/**
 * The model of users as plugins make it. Small questions are the server's own: no plugin stands between. A budget may have one of the chain
 * answer alone, so plugins are around each of them as well.
 */
async function layered(
  model: ChatModel,
  { classifier, chains }: { readonly classifier: ChatModel; readonly chains: Map<ChatModel, ModelChain['tried']> },
  { plugins, settings }: { readonly plugins: readonly LoadedPlugin[]; readonly settings: HelperSettings },
): Promise<ChatModel> {
  const made = await withPipelines(model, plugins, settings);
  if (made === model) return model;
  const tried = chains.get(model) ?? [];
  const alone = settings.budgets.length === 0 || tried.length < 2;
  const own: ModelChain['tried'][number][] = [];
  for (const one of tried)
    own.push({ ...one, model: alone ? made : await withPipelines(one.model, plugins, settings) });
  // The model beneath is closed once: by itself where it is the classifier too.
  const chat = model === classifier ? { ...made, close: () => Promise.resolve() } : made;
  if (model !== classifier) chains.delete(model);
  chains.set(chat, own);
  return chat;
}

/** The entries of `models`, with the API that hosted tools ask for. */
function modelsWithApi(settings: HelperSettings): HelperSettings['models'] {
  const { models, chatClient } = settings;
  const answering = models[chatClient];
  return answering === undefined ? models : { ...models, [chatClient]: { ...answering, api: chatApi(settings) } };
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
