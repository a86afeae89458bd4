import { HourlyMetrics } from '../adapters/hourly-metrics/hourly-metrics.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.ts';
import type { Telemetry } from '../adapters/telemetry/telemetry.ts';
import { openStores } from '../adapters/stores/open-stores.ts';
import type { Stores } from '../adapters/stores/stores.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Assistant } from '../core/assistant.ts';
import { atMost } from '../core/base/at-most.ts';
import { purgeDaily } from '../core/confirmations/recover-journal.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ConfirmationJournal } from '../core/ports/confirmation-journal.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { SessionSnapshots } from '../core/sessions/snapshot/session-snapshots.ts';
import { alsoCounted } from './also-counted.ts';
import { type CallerRooms, openCallerRooms } from './caller-rooms.ts';
import { expectActions } from './expected-actions.ts';
import { openAssistant } from './open-assistant.ts';
import { openTelemetry } from './open-telemetry.ts';
import { OpenResources, type Resource } from './open-resources.ts';
import { dataKeys, openSnapshots } from './open-snapshots.ts';
import { packageVersion } from './own-package.ts';
import { type PreparedServer, prepareServer } from './prepare-server.ts';
import { Reloader } from './reload/reloader.ts';
import { ServicesOfTurns } from './services-of-turns.ts';
import { systemClock } from './system-clock.ts';

/** What there is before anything is opened. */
export interface CoreParts<Log extends Logger = Logger> {
  readonly settings: HelperSettings;
  readonly prepared: PreparedServer;
  readonly metrics: PrometheusMetrics;
  /** For the dashboard. */
  readonly hourly: HourlyMetrics;
  /** Undefined unless `enableObservability` is on. */
  readonly telemetry: Telemetry | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Gets whatever is opened. */
  readonly resources: OpenResources;
}

/** The assistant with all that it needs, without a way in. */
export interface OpenCore {
  readonly assistant: Assistant;
  readonly storage: Stores;
  readonly snapshots: SessionSnapshots;
  readonly rooms: CallerRooms;
  readonly reloader: Reloader;
  /** The settings that turns go by now. */
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
  const prometheus = createPrometheusMetrics({ version: packageVersion() });
  const hourly = new HourlyMetrics({
    intervalMs: settings.metricsPersistenceInterval,
    retentionMs: settings.metricsRetention,
    now: () => clock.now(),
  });
  const metrics = { ...prometheus, metrics: alsoCounted(prometheus.metrics, hourly.counts) };
  const telemetry = await openTelemetry(settings, log);
  const services = { log: telemetry?.log(log) ?? log, metrics: metrics.metrics, clock, traced: telemetry?.traced };
  const prepared = await prepareServer(settings, services);
  expectActions(prepared.tools, metrics.metrics);
  const resources = new OpenResources(log);
  // Closed last: what ends before it is told too.
  if (telemetry !== undefined) resources.add({ name: 'telemetry', close: () => telemetry.close() });
  resources.add(...preparedResources(prepared));
  return { settings, prepared, metrics, hourly, telemetry, clock, log, resources };
}

/**
 * Opens one part after the other; each is closed before those that it needs. From here on actions can run, those of kept
 * turns too. `replaced` gets the stores once they are open, and returns those that are used.
 * @throws StartupFaults when a plugin does not start; Error when the storage cannot be had.
 */
export async function openCore(parts: CoreParts, replaced?: (opened: Stores) => Stores): Promise<OpenCore> {
  const { settings, prepared, telemetry, clock, resources } = parts;
  const log = telemetry?.log(parts.log) ?? parts.log;
  const { metrics } = parts.metrics;
  const opened = await openStores(settings.storage, { log, metrics });
  const stores = replaced?.(opened) ?? opened;
  const { journal } = stores;
  resources.add({ name: 'stores', close: () => journal.close() }, purging(journal, parts));
  resources.add(openFigures(stores, parts));
  const keys = await dataKeys(settings, prepared.snapshotKeys);
  const rooms = openCallerRooms(settings);
  const assistantServices = { log, metrics, stores, keys, clock, rooms, tracing: telemetry?.tracing };
  const services = new ServicesOfTurns(settings, assistantServices);
  const first = services.by(settings, { tools: prepared.tools, model: prepared.models.current });
  const assistant = await openAssistant(settings, first, assistantServices);
  parts.metrics.watch(() => assistant.live);
  telemetry?.exportMetrics(() => parts.metrics.families());
  resources.add({ name: 'turns', drain: (graceMs) => assistant.drain(graceMs), close: () => assistant.close() });
  const snapshots = openSnapshots(settings, { keys, tools: prepared.tools, clock }, journal);
  const reloader = new Reloader(settings, { ...parts, assistant, services });
  resources.add(...prepared.killSwitch.watch(), reloader.watchSecrets());
  await startTools(prepared, assistant, { log, metrics });
  return { assistant, storage: stores, snapshots, rooms, reloader, current: () => reloader.settings };
}

/** What is there before anything is opened, and is closed even if nothing ever is. */
function preparedResources({ models, providers, authenticator }: PreparedServer): readonly Resource[] {
  const identity = {
    name: 'identity',
    close: () => {
      authenticator.close();
      return Promise.resolve();
    },
  };
  const first = models.current;
  return [{ name: 'model', close: () => first.close() }, ...providers, identity];
}

/** Milliseconds that the end of the server waits for the last figures to be stored. */
const lastFiguresMs = 2000;

/** Stores the figures of the dashboard from time to time, and what is left at the end. */
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

/** Deletes old rows of the journal once a day. */
function purging(journal: ConfirmationJournal, { settings, clock, log, metrics }: CoreParts): Resource {
  const retentionMs = settings.retention.journal;
  const stop = purgeDaily(journal, log, { now: () => clock.now(), retentionMs, metrics: metrics.metrics });
  return {
    name: 'purging',
    close: () => {
      stop();
      return Promise.resolve();
    },
  };
}

async function startTools(
  { providers, tools }: PreparedServer,
  assistant: Assistant,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): Promise<void> {
  const changed = (): void => {
    tools.toolbox.refresh();
    expectActions(tools, metrics);
    assistant.takeUpTurns().catch((error: unknown) => {
      log.error({ error }, 'kept turns could not be taken up');
    });
  };
  for (const provider of providers) await provider.start(changed);
  await assistant.takeUpTurns();
}
