import { HourlyMetrics } from '../adapters/hourly-metrics/hourly-metrics.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.ts';
import { tokenxCounter } from '../adapters/tokens/tokenx-counter.ts';
import type { Telemetry } from '../adapters/telemetry/telemetry.ts';
import { openStores } from '../adapters/stores/open-stores.ts';
import type { Stores } from '../adapters/stores/stores.ts';
import { SecurityLog } from '../channels/shared/security-log.ts';
import type { HelperSettings } from '../config/settings.ts';
import { longestHeldMs } from '../core/confirmations/ran-before.ts';
import type { Assistant } from '../core/assistant.ts';
import { atMost } from '../core/base/at-most.ts';
import type { UserErasure } from '../core/erasure/user-erasure.ts';
import { TokenEstimates } from '../core/history/token-estimates.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { MemoryStore } from '../core/ports/memory-store.ts';
import type { LiveNumbers, Metrics } from '../core/ports/metrics.ts';
import type { ReplicaBus } from '../core/ports/replica-bus.ts';
import type { SessionSnapshots } from '../core/sessions/snapshot/session-snapshots.ts';
import type { UserConversations } from '../core/sessions/user-conversations.ts';
import { openTaskStates } from '../channels/a2a/open-task-states.ts';
import { KeptTasks, taskKeptMs } from '../core/tasks/kept-tasks.ts';
import { answeringRemote } from './agents/answering-agent.ts';
import { currentAgents, remoteIn } from './agents/current-agents.ts';
import { alsoCounted } from './also-counted.ts';
import { type LiveBudgets, openBudgets } from './budgets/live-budgets.ts';
import { type CallerRooms, openCallerRooms } from './caller-rooms.ts';
import { keepsConversations, withHistoryOf } from './conversations/history-keeper.ts';
import { openErasure, openKeptConversations, openUserConversations } from './conversations/open-conversations.ts';
import { purgeConversations } from './conversations/purge-conversations.ts';
import { DailyPurge } from './daily-purge.ts';
import { expectActions } from './expected-actions.ts';
import { openAssistant } from './open-assistant.ts';
import { LiveToolFilter } from './live-tool-filter.ts';
import { openFiles } from './open-files.ts';
import { openNetwork, type NetworkReport } from './open-network.ts';
import { openTelemetry } from './open-telemetry.ts';
import { purgingVectors } from './knowledge/purge-vectors.ts';
import { prepareIndexFolder } from './knowledge/prepare-index-folder.ts';
import { factStores, LiveMemory } from './memory/open-memory.ts';
import { OpenResources, type Resource } from './open-resources.ts';
import { dataKeys, openSealers, openSnapshots } from './open-snapshots.ts';
import { packageVersion } from './own-package.ts';
import { type PreparedServer, prepareServer } from './prepare-server.ts';
import type { DataKeys } from './reload/live-sealers.ts';
import { Reloader } from './reload/reloader.ts';
import { openBus, storageOf } from './replicas/open-bus.ts';
import { recoverRows } from './replicas/recover-rows.ts';
import { Recovery } from './replicas/recovery.ts';
import { reducerOf } from './reducer-of.ts';
import { ServicesOfTurns, type TurnParts } from './services-of-turns.ts';
import { openStoredTimes, type StoredTimes } from './stored-times.ts';
import { systemClock } from './system-clock.ts';
import { warmUp } from './warm-up.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';

/** The parts that exist before anything is opened. */
export interface CoreParts<Log extends Logger = Logger> {
  readonly settings: HelperSettings;
  readonly prepared: PreparedServer;
  /** How its requests leave this server. */
  readonly network: NetworkReport;
  readonly metrics: PrometheusMetrics;
  /** The counters of the dashboard. */
  readonly hourly: HourlyMetrics;
  /** Undefined unless `enableObservability` is on. */
  readonly telemetry: Telemetry | undefined;
  readonly clock: Clock;
  /** Learns from the token counts that models report. It stays the same when the configuration changes. */
  readonly estimates: TokenEstimates;
  readonly log: Log;
  readonly security: SecurityLog;
  /** Gets every resource that is opened. */
  readonly resources: OpenResources;
}

/** The assistant with everything it needs, and without a channel. */
export interface OpenCore {
  /** How this replica reaches the others. Undefined where it is the only one. */
  readonly bus: ReplicaBus | undefined;
  /** The present keys of `dataProtection`. */
  readonly dataKeys: () => DataKeys;
  readonly assistant: Assistant;
  readonly storage: Stores;
  readonly memory: MemoryStore;
  readonly snapshots: SessionSnapshots;
  /** Undefined unless conversations are kept. */
  readonly conversations: UserConversations | undefined;
  readonly erasure: UserErasure;
  /** The tasks of other agents. */
  readonly tasks: KeptTasks;
  readonly rooms: CallerRooms;
  readonly times: StoredTimes;
  readonly budgets: LiveBudgets;
  /** Looks for what dead replicas leave behind. */
  readonly recovery: Pick<Recovery, 'add'>;
  readonly reloader: Reloader;
  /** Returns the settings that apply to turns which begin now. */
  readonly current: () => HelperSettings;
}

/**
 * Loads plugins, asks callbacks and builds the model, but opens nothing and calls no model.
 * @throws StartupFaults with every fault found.
 */
export async function prepareParts<Log extends Logger>(
  settings: HelperSettings,
  log: Log,
  clock: Clock = systemClock,
): Promise<CoreParts<Log>> {
  const hasTenants = settings.tenancy.claim !== null;
  const prometheus = createPrometheusMetrics({ version: packageVersion(), hasTenants });
  const hourly = new HourlyMetrics({
    intervalMs: settings.metricsPersistenceInterval,
    retentionMs: settings.metricsRetention,
    now: () => clock.now(),
    hasTenants,
  });
  const metrics = { ...prometheus, metrics: alsoCounted(prometheus.metrics, hourly) };
  const network = openNetwork(settings);
  if (network.proxies.length > 0) log.info(network, 'requests to other servers go through a proxy');
  const telemetry = await openTelemetry(settings, log);
  const estimates = new TokenEstimates(tokenxCounter);
  const logs = telemetry?.log(log) ?? log;
  const { traced, followed } = telemetry ?? {};
  const services = { log: logs, metrics: metrics.metrics, clock, estimates, traced, followed };
  const prepared = await prepareServer(settings, services);
  expectActions(prepared.tools, metrics.metrics);
  const resources = new OpenResources(log);
  // Telemetry is closed last, so that it also receives the spans of parts that end before.
  if (telemetry !== undefined) resources.add({ name: 'telemetry', close: () => telemetry.close() });
  resources.add(...preparedResources(prepared));
  const security = new SecurityLog(log, metrics.metrics, () => clock.elapsed());
  return { settings, prepared, network, metrics, hourly, telemetry, clock, estimates, log, security, resources };
}

/**
 * Opens one part after the other, and registers each to close before the parts that it needs. From here on actions can run, those of kept
 * turns included. `replaced` gets the opened stores and returns the stores to use.
 * @throws StartupFaults when a plugin does not start.
 * @throws Error when the storage cannot be opened.
 */
export async function openCore(parts: CoreParts, replaced?: (opened: Stores) => Stores): Promise<OpenCore> {
  const { settings, prepared, telemetry, clock, security, resources } = parts;
  const log = telemetry?.log(parts.log) ?? parts.log;
  const { metrics } = parts.metrics;
  const bus = await openBus(settings, { ...parts, log });
  const opened = await openStores(storageOf(settings, bus), { log, metrics });
  const { plugins, embedders, knowledge, skills, killSwitch } = prepared;
  const stores = withHistoryOf(plugins, replaced?.(opened) ?? opened, log);
  const recovery = new Recovery({ isShared: stores.turns.shared !== undefined, log });
  resources.add({ name: 'stores', close: () => stores.journal.close() }, openFigures(stores, parts), recovery);
  const times = await openStoredTimes(settings, { stores, clock, log });
  const sealers = openSealers(settings, await dataKeys(settings, prepared.keys.dataKeys), times);
  sealers.onReplace((keys) => bus?.useKeys(keys));
  const conversations = openKeptConversations(keepsConversations(settings, plugins), { stores, sealers, log });
  resources.add(...(await purging(settings, stores, { clock, log, metrics })));
  const budgets = await openBudgets({ stores, sealers, clock, metrics, log, estimates: parts.estimates });
  const memory = new LiveMemory(settings, { ...factStores(plugins, stores), embedders, clock, log, metrics });
  const toolFilter = new LiveToolFilter({ embedders, estimates: parts.estimates, log });
  const { onDelivery, ...webhooks } = openWebhooks(settings, { stores, sealer: sealers.records, clock, log });
  recoverRows(recovery, { budgets: stores.budgets, memory, onDelivery, log });
  resources.add({ name: 'budgets', close: () => budgets.close() }, memory, toolFilter, ...webhooks.resources);
  const assistantServices = {
    ...{ log, metrics, stores, clock, times },
    sealer: sealers.records,
    markOf: (userKey: string) => sealers.marks(userKey)[0],
    rooms: openCallerRooms(settings),
    ...{ bus, budgets, embedders, estimates: parts.estimates, files: await openFiles(settings, resources, log) },
    reducer: reducerOf(settings, plugins),
    ...{ knowledge, memory, skills, toolFilter, onDelivery, recovery },
    tracing: telemetry?.tracing,
    ...{ refusals: security, recentSecurity: security.recent },
    ...{ killSwitch, conversations, remoteAgents: prepared.remoteAgents, mcpServers: prepared.mcpServers },
  };
  const services = new ServicesOfTurns(settings, assistantServices);
  const first = services.by(settings, await partsOfTurns(settings, prepared));
  const assistant = await openAssistant(settings, first, assistantServices);
  observe(parts, () => ({ ...assistant.live, documents: knowledge.counts(), isBusUp: bus?.isUp }));
  await readFolders(parts, stores, log);
  resources.add({ name: 'turns', drain: (graceMs) => assistant.drain(graceMs), close: () => assistant.close() });
  const erasure = openErasure(settings, { stores, facts: memory.store, sealers, times, log }, assistant);
  const saved = { sealer: sealers.snapshots, tools: prepared.tools, metrics, conversations, erasure };
  const reloader = new Reloader(settings, { ...parts, assistant, services, sealers });
  resources.add(...prepared.killSwitch.watch(), ...reloader.watchSecrets(), reloader.watchAgents());
  await startTools(prepared, assistant, { log, metrics, toolFilter });
  await memory.start(settings.useMemoryContext && settings.memoryAutoCapture);
  recovery.start();
  if (settings.warmUpAtStartup) resources.add(warmUp({ services: first, memory, log }));
  return {
    ...{ bus, assistant, dataKeys: () => sealers.keys },
    ...{ storage: stores, memory: memory.store },
    snapshots: openSnapshots(settings, saved, stores),
    conversations: openUserConversations(settings, conversations, { assistant, clock }),
    erasure,
    tasks: new KeptTasks({ store: stores.tasks, sealer: sealers.records, clock, log, open: openTaskStates }),
    rooms: assistantServices.rooms,
    ...{ budgets, recovery, times },
    reloader,
    current: () => reloader.settings,
  };
}

/** What the first turns are given. The agents on other servers are there from now on. */
async function partsOfTurns(
  settings: HelperSettings,
  { tools, models: { models }, agents, remoteAgents }: PreparedServer,
): Promise<TurnParts> {
  await remoteAgents.use([...remoteIn(agents.current), ...answeringRemote(settings)]);
  return { tools, models, agents: currentAgents(agents.current, models) };
}

/** Begins to read the folders of documents. They end before the stores, in which they keep vectors. */
async function readFolders({ settings, prepared, resources }: CoreParts, stores: Stores, log: Logger): Promise<void> {
  await prepareIndexFolder(settings, log);
  prepared.knowledge.start(stores.passageVectors);
  resources.add({ name: 'folders of documents', close: () => prepared.knowledge.close() });
}

/** Resources that exist before anything is opened, and that are closed even if nothing is ever opened. */
function preparedResources({
  models,
  embedders,
  providers,
  knowledge,
  authenticator,
  remoteAgents,
}: PreparedServer): readonly Resource[] {
  const identity = {
    name: 'identity',
    close: () => {
      authenticator.close();
      return Promise.resolve();
    },
  };
  return [models, embedders, ...providers, knowledge, remoteAgents, identity];
}

/** Milliseconds for which the closing server waits until the last figures are stored. */
const lastFiguresMs = 2000;

/** Stores the dashboard's figures at intervals, and the rest when the server closes. */
function openFigures(stores: Stores, { hourly, log }: CoreParts): Resource {
  hourly.open(stores.metrics);
  return {
    name: 'figures',
    close: () =>
      atMost(
        lastFiguresMs,
        hourly.close().catch((error: unknown) => {
          log.warn({ error }, 'the last figures of the dashboard could not be stored');
        }),
      ),
  };
}

/** Shows on `/metrics` and to telemetry what goes on. */
function observe({ metrics, telemetry }: CoreParts, live: () => LiveNumbers): void {
  metrics.watch(live);
  telemetry?.exportMetrics(() => metrics.families());
}

/**
 * Deletes old rows of the journal, of conversations, of budgets and of tasks once a day. The journal needs no deletion at the start, because its
 * recovery has already deleted old rows.
 */
async function purging(
  settings: HelperSettings,
  stores: Stores,
  { clock, ...services }: { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics },
): Promise<readonly Resource[]> {
  const ofJournal = (): Promise<number> =>
    stores.journal.purge(clock.now() - settings.retention.journal, clock.now() - longestHeldMs);
  const ofConversations = (): Promise<number> => purgeConversations(stores, settings, clock);
  const conversations = new DailyPurge('conversations', ofConversations, services);
  await conversations.now();
  const ofBudgets = (): Promise<number> => stores.budgets.purge(clock.now());
  const budgets = new DailyPurge('budgets', ofBudgets, services);
  await budgets.now();
  const ofTasks = (): Promise<number> => stores.tasks.purge(clock.now() - taskKeptMs);
  const tasks = new DailyPurge('tasks', ofTasks, services);
  await tasks.now();
  const vectors = purgingVectors(stores, clock, services);
  return [new DailyPurge('journal', ofJournal, services), conversations, budgets, tasks, ...vectors];
}

async function startTools(
  { providers, tools, agents }: PreparedServer,
  assistant: Assistant,
  {
    log,
    metrics,
    toolFilter,
  }: { readonly log: Logger; readonly metrics: Metrics; readonly toolFilter: LiveToolFilter },
): Promise<void> {
  const changed = (): void => {
    tools.toolbox.refresh();
    expectActions(tools, metrics);
    toolFilter.refresh();
    agents.toolsChanged(tools.toolbox.current, log);
    assistant.direct.offerChanged();
    assistant.takeUpTurns().catch((error: unknown) => {
      log.error({ error }, 'kept turns could not be taken up');
    });
  };
  for (const provider of providers) await provider.start(changed);
  await assistant.takeUpTurns();
}
