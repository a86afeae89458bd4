import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { createPrometheusMetrics, type PrometheusMetrics } from './adapters/metrics/prometheus-metrics.ts';
import { openStores } from './adapters/stores/open-stores.ts';
import type { Stores } from './adapters/stores/stores.ts';
import { openCallerRooms } from './app/caller-rooms.ts';
import { openAssistant } from './app/open-assistant.ts';
import { openHttp, type OpenHttp } from './app/open-http.ts';
import { openLogger } from './app/open-logger.ts';
import { openMetricsServer } from './app/open-metrics-server.ts';
import { OpenResources, type Resource } from './app/open-resources.ts';
import { dataKeys, openSnapshots } from './app/open-snapshots.ts';
import { type PreparedServer, prepareServer } from './app/prepare-server.ts';
import type { ChannelServices } from './app/channels/mount-channel.ts';
import { probePaths } from './app/channels/mount-ops.ts';
import { registerChannels } from './app/register-channels.ts';
import { systemClock } from './app/system-clock.ts';
import { browserAddress, reportActions, reportEndpoints, type ServerReport } from './app/server-report.ts';
import { SecurityLog } from './channels/shared/security-log.ts';
import type { HelperSettings } from './config/settings.ts';
import { configurationWarnings } from './config/warnings.ts';
import type { Assistant } from './core/assistant.ts';
import { journalRetentionMs, purgeDaily } from './core/confirmations/recover-journal.ts';
import type { Clock } from './core/ports/clock.ts';
import type { ConfirmationJournal } from './core/ports/confirmation-journal.ts';
import type { Logger } from './core/ports/logger.ts';

export type { ServerReport } from './app/server-report.ts';

/** A server that is ready to listen. */
export interface HelperServer {
  readonly report: ServerReport;
  readonly log: Logger;
  /**
   * Opens storage, starts the plugins and listens. Resolves once requests are answered.
   * @throws StartupFaults when a plugin does not start; Error when the port or the storage cannot be had.
   */
  listen(): Promise<{ readonly url: string }>;
  /** Drains and closes everything (wire.md 10): at once when nothing runs, after `server.shutdownGrace` at the latest. */
  close(): Promise<void>;
}

interface BuildOptions {
  /** Nothing is logged. */
  readonly silent?: boolean;
  /** Gets the stores once they are open; the server uses those that it returns. Left out, they are used as they are. */
  readonly stores?: (opened: Stores) => Stores;
  /** What tells the time, to turns, tokens, confirmations, snapshots and limits of messages. Left out, the clocks of this machine. */
  readonly clock?: Clock;
}

/**
 * The composition root: settings in, a server out. Loads plugins, asks callbacks for their actions and builds the model,
 * but opens nothing and calls no model, so that `helper check` sees exactly what `helper start` would serve.
 * @throws StartupFaults with every fault found.
 */
export async function buildServer(settings: HelperSettings, options: BuildOptions = {}): Promise<HelperServer> {
  const { logger, flush } = await openLogger(
    options.silent === true ? { level: 'silent', format: 'json' } : settings.logging,
  );
  const clock = options.clock ?? systemClock;
  const metrics = createPrometheusMetrics({ version: packageVersion() });
  const prepared = await prepareServer(settings, { log: logger, metrics: metrics.metrics, clock });
  const resources = new OpenResources(logger);
  resources.add(...preparedResources(prepared));
  const parts: ServerParts = { settings, prepared, metrics, clock, log: logger, resources };
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= resources.close(settings.server.shutdownGrace).finally(flush);
    return closing;
  }
  return {
    report: await report(settings, prepared),
    log: logger,
    listen: () =>
      listen(parts, options).catch(async (error: unknown) => {
        // What was opened before the fault is closed again, so that nothing is left running.
        await close();
        throw error;
      }),
    close,
  };
}

/** What a server is made of before it listens. */
interface ServerParts {
  readonly settings: HelperSettings;
  readonly prepared: PreparedServer;
  readonly metrics: PrometheusMetrics;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly resources: OpenResources;
}

/** Opens one part after the other; each is closed before those that it needs. */
async function listen(parts: ServerParts, options: BuildOptions): Promise<{ readonly url: string }> {
  const { settings, prepared, clock, log, resources } = parts;
  const { metrics } = parts.metrics;
  const opened = await openStores(settings.storage, { log, metrics });
  const stores = options.stores?.(opened) ?? opened;
  const { journal } = stores;
  resources.add({ name: 'stores', close: () => journal.close() }, purging(journal, parts));
  const keys = await dataKeys(settings, prepared.snapshotKeys);
  const rooms = openCallerRooms(settings);
  const assistant = await openAssistant(settings, prepared, { log, metrics, stores, keys, clock, rooms });
  resources.add({ name: 'turns', drain: (graceMs) => assistant.drain(graceMs), close: () => assistant.close() });
  const snapshots = openSnapshots(settings, { keys, tools: prepared.tools, clock }, journal);
  await startTools(prepared, assistant, log);
  const security = new SecurityLog(log, metrics);
  resources.add(...(await openMetricsServer(settings, parts.metrics, { logger: log, security })));
  const http = openChannels({ ...parts, assistant, storage: stores, snapshots, security, rooms });
  await http.app.listen({ host: settings.server.host, port: settings.server.port });
  const address = http.app.server.address() as AddressInfo; // listening on TCP, so it is one
  return { url: browserAddress(settings, address.port) };
}

/** What is there before the server listens, and is closed even if it never does. */
function preparedResources({ model, providers, authenticator }: PreparedServer): readonly Resource[] {
  const identity = {
    name: 'identity',
    close: () => {
      authenticator.close();
      return Promise.resolve();
    },
  };
  return [{ name: 'model', close: () => model.close() }, ...providers, identity];
}

/** Deletes old rows of the journal once a day. */
function purging(journal: ConfirmationJournal, { settings, clock, log }: ServerParts): Resource {
  const retentionMs = journalRetentionMs(settings.dataProtection.maxAge);
  const stop = purgeDaily(journal, log, { now: () => clock.now(), retentionMs });
  return {
    name: 'purging',
    close: () => {
      stop();
      return Promise.resolve();
    },
  };
}

/** Every way in, ready to listen. */
function openChannels(services: Omit<ChannelServices, 'assetsDirectory' | 'mayUpgrade'>): OpenHttp {
  const { settings, log, metrics, resources } = services;
  const http = openHttp({
    server: settings.server,
    cors: settings.cors.default,
    logger: log,
    metrics: metrics.metrics,
    probePaths: probePaths(settings),
  });
  resources.add(http.resource);
  registerChannels(http.app, {
    ...services,
    assetsDirectory: fileURLToPath(new URL('dist/widget/', packageUrl())),
    mayUpgrade: http.mayUpgrade,
  });
  return http;
}

/** From here on actions can run, those of kept turns too. */
async function startTools({ providers, tools }: PreparedServer, assistant: Assistant, log: Logger): Promise<void> {
  const changed = (): void => {
    tools.toolbox.refresh();
    assistant.takeUpTurns().catch((error: unknown) => {
      log.error({ error }, 'kept turns could not be taken up');
    });
  };
  for (const provider of providers) await provider.start(changed);
  await assistant.takeUpTurns();
}

async function report(settings: HelperSettings, prepared: PreparedServer): Promise<ServerReport> {
  return {
    actions: await reportActions(prepared.tools),
    endpoints: reportEndpoints(settings),
    warnings: [
      ...configurationWarnings(settings, process.env),
      ...prepared.providers.flatMap((provider) => provider.warnings()),
    ],
    model: { name: prepared.model.model, isDemo: prepared.model.isDemo },
    demoPage: settings.demoPage ? `${browserAddress(settings, settings.server.port)}/` : null,
  };
}

function packageUrl(): URL {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error('the package.json of the server is missing beside its code');
  return pathToFileURL(file);
}

function packageVersion(): string {
  const content: unknown = JSON.parse(readFileSync(packageUrl(), 'utf8'));
  const version = typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return String(version);
}
