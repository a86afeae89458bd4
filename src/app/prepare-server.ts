import { openChatModel, type OpenChatModelOptions } from '../adapters/models/open-chat-model.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { Authenticator } from '../core/identity/authenticator.ts';
import type { ChatModel } from '../core/ports/chat-model.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { FollowEmbedding } from '../core/ports/embedder.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { tenantWarnings } from './access-warnings.ts';
import { checkSettingsPatterns } from './settings-patterns.ts';
import { type ComposedTools, composeTools } from './compose-tools.ts';
import { withPipelines } from './chat-pipeline.ts';
import { LiveEmbedders } from './live-embedders.ts';
import { KillSwitch } from './kill-switch.ts';
import { openIdentity } from './open-identity.ts';
import { type KeyMaterial, readKeyMaterial } from './reload/key-material.ts';
import { LiveModel, type OpenModels } from './reload/live-model.ts';
import { LiveTools } from './reload/live-tools.ts';
import { type KnowledgeSources, openKnowledge } from './knowledge/open-knowledge.ts';
import { callbackProvider } from './providers/callback-provider.ts';
import { pluginProvider } from './providers/plugin-provider.ts';
import type { ToolProvider } from './providers/tool-provider.ts';
import { checkHistory, historyWarnings } from './conversations/history-keeper.ts';
import { loadPluginsOf } from './load-plugins-of.ts';
import { reducerWarnings } from './reducer-of.ts';
import { openSkills, type OpenedSkills } from './skills/open-skills.ts';
import { readWelcomeMessages, type WelcomeMessages } from './welcome-messages.ts';

type Warning = ReturnType<ToolProvider['warnings']>[number];

/** What is known, checked and built before anything is opened or listens. */
export interface PreparedServer {
  readonly plugins: readonly LoadedPlugin[];
  /** Where tools come from, in the order in which they are started. */
  readonly providers: readonly ToolProvider[];
  readonly tools: LiveTools;
  readonly killSwitch: KillSwitch;
  /** The models that give texts their vectors. */
  readonly embedders: LiveEmbedders;
  readonly knowledge: KnowledgeSources;
  readonly skills: OpenedSkills;
  readonly models: LiveModel;
  readonly authenticator: Authenticator;
  /** As it was read before anything was made of it. */
  readonly keys: KeyMaterial;
  /** What the widget's empty chat says. */
  readonly welcome: WelcomeMessages;
  /** What plugins and callbacks give reason to warn of, by code (docs/reference/warnings.md). */
  warnings(): readonly Warning[];
}

/** What a model is opened with, beside its settings. */
interface ModelServices extends Pick<OpenChatModelOptions, 'traced' | 'estimates'> {
  /** Follows the calls of embedding models. */
  readonly followed?: FollowEmbedding | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Each callback is asked for its manifest once, and one that does not answer is asked again when the server runs. */
async function openCallbacks(
  settings: HelperSettings,
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<readonly ToolProvider[]> {
  if (settings.actions === 'none' || settings.actions.callbacks.length === 0) return [];
  // Loaded only for those who have one: every other start would pay for an HTTP client.
  const { ActionCallback } = await import('../adapters/action-callback/action-callback.ts');
  const callbacks = settings.actions.callbacks.map((callback) => new ActionCallback(callback, services));
  await Promise.all(callbacks.map((callback) => callback.load()));
  const place = (index: number) => ({ file: settings.configFile, path: `actions.callbacks[${String(index)}]` });
  return callbacks.map((callback, index) => callbackProvider(callback, place(index)));
}

/**
 * Loads plugins, asks callbacks what they offer, joins their tools and builds the model (contract/configuration.md#faults).
 * @throws StartupFaults with everything that is wrong.
 */
export async function prepareServer(
  settings: HelperSettings,
  services: ModelServices & { readonly clock: Clock },
): Promise<PreparedServer> {
  await checkSettingsPatterns(settings);
  const welcome = await readWelcomeMessages(settings);
  const overlooked: Warning[] = [];
  const plugins = await loadPluginsOf(settings, services.log, (code, message) => overlooked.push({ code, message }));
  checkHistory(settings, plugins);
  const providers = [...plugins.map(pluginProvider), ...(await openCallbacks(settings, services))];
  const killSwitch = new KillSwitch(settings, services.log);
  const tools = new LiveTools(composeTools(settings, { plugins, providers, killSwitch }, services.log));
  const embedders = await LiveEmbedders.open(settings, { plugins, ...services });
  const knowledge = await openKnowledge(settings, providers, { ...services, embedders });
  const skills = await openSkills(settings, plugins, services);
  const keys = await readKeyMaterial(settings);
  const authenticator = await openIdentity(settings, plugins, services);
  const models = new LiveModel(await openModels(settings, { plugins, tools }, services));
  const warnings = (): readonly Warning[] => [
    ...overlooked,
    ...providers.flatMap((provider) => provider.warnings()),
    ...knowledge.warnings(),
    ...skills.warnings,
    ...tenantWarnings(settings, { tools, skills }),
    ...reducerWarnings(settings, plugins),
    ...historyWarnings(settings, plugins),
  ];
  return {
    plugins,
    providers,
    tools,
    killSwitch,
    embedders,
    knowledge,
    skills,
    authenticator,
    models,
    keys,
    welcome,
    warnings,
  };
}

/** What models are opened with, beside settings and services. */
interface BuiltParts {
  readonly plugins: readonly LoadedPlugin[];
  readonly tools: ComposedTools;
}

/**
 * The models that `chatClient` and `classifierChatClient` name: one and the same where both name one entry, and no plugin has made
 * something around the first.
 * @throws StartupFaults that name the entry or the plugin at fault.
 */
export async function openModels(
  settings: HelperSettings,
  built: BuiltParts,
  services: ModelServices,
): Promise<OpenModels> {
  const { chatClient, classifierChatClient = chatClient } = settings;
  const model = await openModel(chatClient, settings, { ...built, ...services });
  try {
    const chat = await withPipelines(model, built.plugins, settings);
    // Small questions are the server's own: no plugin stands between.
    if (classifierChatClient === chatClient) return { chat: chat === model ? chat : leftOpen(chat), classifier: model };
    return { chat, classifier: await openModel(classifierChatClient, settings, { ...built, ...services }) };
  } catch (error) {
    await model.close();
    throw error;
  }
}

/** The model beneath is the classifier too, and is closed by itself. */
function leftOpen(chat: ChatModel): ChatModel {
  return { ...chat, close: () => Promise.resolve() };
}

async function openModel(
  name: string,
  settings: HelperSettings,
  { plugins, tools, ...services }: BuiltParts & ModelServices,
): Promise<ChatModel> {
  const { language, appName, appDescription } = settings;
  try {
    return await openChatModel({
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
