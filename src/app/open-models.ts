import { openModelChain, type OpenChatModelOptions, type ModelChain } from '../adapters/models/open-chat-model.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { ChatModel } from '../core/ports/chat-model.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { checkBudgets } from './budgets/check-budgets.ts';
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
 * The models that the settings name, each entry once.
 * @throws StartupFaults that name the entry at fault, or the budget that the models do not fit.
 */
export async function openModels(
  settings: HelperSettings,
  built: BuiltParts,
  services: ModelServices,
): Promise<OpenModels> {
  const { chatClient, classifierChatClient = chatClient, strongChatClient } = settings;
  const asksHow = ['Classifier', 'Cascade'].includes(settings.routingStrategy);
  const routingClient = asksHow && strongChatClient !== undefined ? settings.routingClassifierClient : undefined;
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
    const models = {
      chat: await open(chatClient),
      classifier: await open(classifierChatClient),
      strong: strongChatClient === undefined ? undefined : await open(strongChatClient),
      routing: await open(routingClient ?? chatClient),
      chains,
    };
    checkBudgets(settings, models);
    return models;
  } catch (error) {
    await Promise.all([...opened.values()].map((model) => model.close()));
    throw error;
  }
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
      models: settings.models,
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
