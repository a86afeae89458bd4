import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Stores } from './adapters/stores/stores.ts';
import { backupCommand } from './app/backup/backup-command.ts';
import { crossOriginGuard } from './app/cross-origin-guard.ts';
import { type ControlCommands, openControlSocket } from './app/control-socket.ts';
import { type CoreParts, openCore, prepareParts } from './app/open-core.ts';
import { openHttp, type OpenHttp } from './app/open-http.ts';
import { openLogger } from './app/open-logger.ts';
import { openMetricsServer } from './app/open-metrics-server.ts';
import { widgetDirectory } from './app/own-package.ts';
import type { PreparedServer } from './app/prepare-server.ts';
import type { ChannelServices } from './app/channels/mount-channel.ts';
import { probePaths } from './app/channels/mount-ops.ts';
import type { Reloader, ReloadResult } from './app/reload/reloader.ts';
import { WatchedFile } from './app/reload/watched-file.ts';
import { registerChannels } from './app/register-channels.ts';
import { browserAddress, reportActions, reportEndpoints, type ServerReport } from './app/server-report.ts';
import { SecurityLog } from './channels/shared/security-log.ts';
import type { HelperSettings } from './config/settings.ts';
import { configurationWarnings } from './config/warnings.ts';
import type { Clock } from './core/ports/clock.ts';
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
  listen(): Promise<ListeningServer>;
  /** Drains and closes everything (contract/restarts.md#stopping): at once when nothing runs, after `server.shutdownGrace` at the latest. */
  close(): Promise<void>;
}

/** A server that listens. */
export interface ListeningServer {
  readonly url: string;
  /**
   * Takes the changed configuration file for turns that begin from now on.
   * @throws StartupFaults when it has faults; then nothing has changed.
   */
  reload(): Promise<ReloadResult>;
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
  const parts = await prepareParts(settings, logger, options.clock);
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= parts.resources.close(settings.server.shutdownGrace).finally(flush);
    return closing;
  }
  return {
    report: await report(settings, parts.prepared),
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

/** Opens the core, then the ways in. */
async function listen(parts: CoreParts<FastifyBaseLogger>, options: BuildOptions): Promise<ListeningServer> {
  const { settings, log, resources } = parts;
  const core = await openCore(parts, options.stores);
  const security = new SecurityLog(log, parts.metrics.metrics);
  resources.add(
    ...(await openMetricsServer({ settings, current: core.current }, parts.metrics, { logger: log, security })),
  );
  const http = openChannels({ ...parts, ...core, security });
  await http.app.listen({ host: settings.server.host, port: settings.server.port });
  const address = http.app.server.address() as AddressInfo; // listening on TCP, so it is one
  const { reloader } = core;
  if (settings.server.watch)
    resources.add(new WatchedFile('configuration', settings.configFile, () => void reloader.reload().catch(() => 0)));
  if (settings.storage.type === 'embedded')
    resources.add(...(await openControlSocket(settings.storage.path, await controlCommands(parts, reloader), log)));
  return { url: browserAddress(settings, address.port), reload: () => reloader.reload() };
}

/** What `helper` may ask of this server (contract/operations.md). */
async function controlCommands(
  { settings, clock }: CoreParts<FastifyBaseLogger>,
  reloader: Reloader,
): Promise<ControlCommands> {
  return { reload: () => reloader.reload(), backup: await backupCommand(settings.storage.path, clock) };
}

/** Every way in, ready to listen. */
function openChannels(services: Omit<ChannelServices, 'assetsDirectory' | 'guard' | 'mayUpgrade'>): OpenHttp {
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
    assetsDirectory: widgetDirectory(),
    guard: crossOriginGuard(settings, settings.server.host),
    mayUpgrade: http.mayUpgrade,
  });
  return http;
}

async function report(settings: HelperSettings, prepared: PreparedServer): Promise<ServerReport> {
  return {
    actions: await reportActions(prepared.tools),
    endpoints: reportEndpoints(settings),
    warnings: [...configurationWarnings(settings, process.env), ...prepared.welcome.warnings, ...prepared.warnings()],
    model: { name: prepared.models.current.model, isDemo: prepared.models.current.isDemo },
    demoPage: settings.demoPage ? `${browserAddress(settings, settings.server.port)}/` : null,
  };
}
