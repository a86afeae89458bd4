import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Authenticator } from '../core/identity/authenticator.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { FollowEmbedding } from '../core/ports/embedder.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { besideAgentWarnings } from './agents/beside-agent-warnings.ts';
import { agentWarnings } from './agents/agent-warnings.ts';
import { LiveAgents } from './agents/live-agents.ts';
import { budgetWarnings } from './budgets/check-budgets.ts';
import { tenantWarnings } from './access-warnings.ts';
import { checkSettingsPatterns } from './settings-patterns.ts';
import { composeTools } from './compose-tools.ts';
import { LiveEmbedders } from './live-embedders.ts';
import { leftOutTools } from './left-out-tools.ts';
import { ModelWindows } from '../adapters/models/model-windows.ts';
import type { LeftOutTools } from '../adapters/models/tools/left-out-tools.ts';
import { KillSwitch } from './kill-switch.ts';
import { type ModelServices, openModels } from './open-models.ts';
import { openIdentity } from './open-identity.ts';
import { type KeyMaterial, readKeyMaterial } from './reload/key-material.ts';
import { LiveModel } from './reload/live-model.ts';
import { LiveTools } from './reload/live-tools.ts';
import { type KnowledgeSources, openKnowledge } from './knowledge/open-knowledge.ts';
import { callbackProvider } from './providers/callback-provider.ts';
import { openOpenapi } from './providers/open-openapi.ts';
import { globWarnings } from './glob-warnings.ts';
import { nameWarnings } from './name-warnings.ts';
import { unmetNeedWarnings } from './unmet-needs-warnings.ts';
import { pluginProvider } from './providers/plugin-provider.ts';
import { McpServers } from './providers/mcp-servers.ts';
import type { ToolProvider } from './providers/tool-provider.ts';
import { toolWarnings } from './tool-weight.ts';
import { checkHistory, historyWarnings } from './conversations/history-keeper.ts';
import { checkMcpCallers } from './channels/mcp-callers.ts';
import { loadPluginsOf } from './load-plugins-of.ts';
import { RemoteAgents } from './agents/remote-agents.ts';
import { reducerWarnings } from './reducer-of.ts';
import { routingWarnings } from './routing/open-routing.ts';
import { openSkills, type OpenedSkills } from './skills/open-skills.ts';
import { readWelcomeMessages, type WelcomeMessages } from './welcome-messages.ts';

type Warning = ReturnType<ToolProvider['warnings']>[number];

/** What is known, checked and built before anything is opened or listens. */
export interface PreparedServer {
  readonly plugins: readonly LoadedPlugin[];
  /** The sources of tools, in the order in which they are started. */
  readonly providers: readonly ToolProvider[];
  readonly tools: LiveTools;
  readonly killSwitch: KillSwitch;
  /** The models that give texts their vectors. */
  readonly embedders: LiveEmbedders;
  readonly knowledge: KnowledgeSources;
  readonly skills: OpenedSkills;
  readonly remoteAgents: RemoteAgents;
  readonly mcpServers: McpServers;
  /** The agents beside the coordinator. */
  readonly agents: LiveAgents;
  readonly models: LiveModel;
  /** The tools that the providers of these models refuse. */
  readonly leftOut: LeftOutTools;
  /** What is known of the windows of these models. */
  readonly windows: ModelWindows;
  readonly authenticator: Authenticator;
  /** The keys as they were read before anything was built with them. */
  readonly keys: KeyMaterial;
  /** The welcome messages of the widget's empty chat. */
  readonly welcome: WelcomeMessages;
  /** The warnings about plugins and callbacks, by code (docs/reference/warnings.md). */
  warnings(): readonly Warning[];
}

/** The services that models are opened with, beside their settings. */
interface PrepareServices extends ModelServices {
  /** Follows the calls of embedding models. */
  readonly followed?: FollowEmbedding | undefined;
  readonly clock: Clock;
}

/** Asks each callback for its manifest once. A callback that does not answer is asked again when the server runs. */
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

/** The host applications and APIs that actions come from. */
async function openHosts(
  settings: HelperSettings,
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<readonly ToolProvider[]> {
  return [...(await openCallbacks(settings, services)), ...(await openOpenapi(settings, services.log))];
}

/**
 * Loads plugins, asks callbacks what they offer, reads the documents of APIs, joins their tools and builds the model (contract/configuration.md#faults).
 * @throws StartupFaults with everything that is wrong.
 */
export async function prepareServer(settings: HelperSettings, services: PrepareServices): Promise<PreparedServer> {
  await checkSettingsPatterns(settings);
  const welcome = await readWelcomeMessages(settings);
  const overlooked: Warning[] = [];
  const plugins = await loadPluginsOf(settings, services.log, (code, message) => overlooked.push({ code, message }));
  checkHistory(settings, plugins);
  checkMcpCallers(settings, plugins);
  const killSwitch = new KillSwitch(settings, services.log);
  // They connect to nothing here: that is for the server that runs.
  const mcpServers = new McpServers(settings, { log: services.log, killSwitch });
  const others = [...plugins.map(pluginProvider), ...(await openHosts(settings, services))];
  // The last: everybody else comes first to a name.
  const providers = [...others, mcpServers];
  const tools = new LiveTools(composeTools(settings, { plugins, providers, killSwitch }, services.log));
  const embedders = await LiveEmbedders.open(settings, { plugins, ...services });
  const knowledge = await openKnowledge(settings, providers, {
    ...services,
    embedders,
    smallModel: () => models.models.classifier,
  });
  const skills = await openSkills(settings, plugins, services);
  const keys = await readKeyMaterial(settings);
  const authenticator = await openIdentity(settings, plugins, services);
  const offering = { plugins, providers, skills, killSwitch };
  const agents = await LiveAgents.open(settings, { ...offering, toolbox: tools.toolbox.current });
  await mcpServers.use({ ...settings, ofAgents: agents.current.servers });
  const { wanted } = agents.current;
  const remotes = new RemoteAgents(services.log);
  const leftOut = leftOutTools(tools, services);
  const windows = new ModelWindows();
  const built = { plugins, tools, wanted, remotes };
  const models = new LiveModel(await openModels(settings, built, { ...services, leftOut, windows }));
  const warnings = (): readonly Warning[] => [
    ...overlooked,
    ...unmetNeedWarnings(settings, { plugins, providers, agents: agents.current }),
    ...providers.flatMap((provider) => provider.warnings()),
    ...knowledge.warnings(),
    ...skills.warnings,
    ...tenantWarnings(settings, { tools, skills }),
    ...globWarnings(settings, { tools, providers }),
    ...nameWarnings(settings, { models: models.models, agents: agents.current }),
    ...agentWarnings(settings, agents.current, { providers, toolbox: tools.toolbox.current }),
    ...besideAgentWarnings(settings, { plugins, tools }),
    ...reducerWarnings(settings, plugins),
    ...historyWarnings(settings, plugins),
    ...budgetWarnings(settings, models.models),
    ...toolWarnings(settings, tools.toolbox.current, { models: models.models, estimates: services.estimates }),
    ...routingWarnings(settings, { models: models.models, hooks: tools.routingHooks }),
  ];
  return {
    ...{ plugins, providers, tools, killSwitch, embedders, knowledge, skills, mcpServers },
    remoteAgents: remotes,
    ...{ authenticator, agents, models, leftOut, windows, keys, welcome },
    warnings,
  };
}
