import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createPrometheusMetrics } from './adapters/metrics/prometheus-metrics.ts';
import { openStores } from './adapters/stores/open-stores.ts';
import { closeServer, type OpenServer } from './app/close-server.ts';
import { openAssistant } from './app/open-assistant.ts';
import { openHttp, type OpenHttp } from './app/open-http.ts';
import { openLogger } from './app/open-logger.ts';
import { openMetricsServer } from './app/open-metrics-server.ts';
import { openSnapshots } from './app/open-snapshots.ts';
import { type PreparedServer, prepareServer } from './app/prepare-server.ts';
import { type ChannelServices, probePaths, registerChannels } from './app/register-channels.ts';
import {
  browserAddress,
  callbackWarnings,
  reportActions,
  reportEndpoints,
  type ServerReport,
} from './app/server-report.ts';
import type { HelperSettings } from './config/settings.ts';
import { configurationWarnings } from './config/warnings.ts';
import type { Assistant } from './core/assistant.ts';
import { journalRetentionMs, purgeDaily } from './core/confirmations/recover-journal.ts';
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

/**
 * The composition root: settings in, a server out. Loads plugins, asks callbacks for their actions and builds the model,
 * but opens nothing and calls no model, so that `helper check` sees exactly what `helper start` would serve.
 * @throws StartupFaults with every fault found.
 */
export async function buildServer(
  settings: HelperSettings,
  options: { readonly silent?: boolean } = {},
): Promise<HelperServer> {
  const { logger, flush } = await openLogger(
    options.silent === true ? { level: 'silent', format: 'json' } : settings.logging,
  );
  const metrics = createPrometheusMetrics({ version: packageVersion() });
  const prepared = await prepareServer(settings, { log: logger, metrics: metrics.metrics });
  const open: OpenServer = {};

  async function listen(): Promise<{ readonly url: string }> {
    const stores = await openStores(settings.storage);
    open.journal = stores.journal;
    open.stopPurging = purgeDaily(open.journal, logger, {
      now: Date.now,
      retentionMs: journalRetentionMs(settings.dataProtection.maxAge),
    });
    open.assistant = await openAssistant(settings, prepared, {
      log: logger,
      metrics: metrics.metrics,
      stores,
    });
    const snapshots = await openSnapshots(settings, prepared, open.journal);
    await startActions(prepared, open.assistant, logger);
    open.http = openChannels(settings, {
      prepared,
      assistant: open.assistant,
      journal: open.journal,
      snapshots,
      metrics,
      log: logger,
      onHub: (hub) => {
        open.hub = hub;
      },
    });
    open.metricsHttp = await openMetricsServer(settings, metrics, logger);
    await open.http.app.listen({ host: settings.server.host, port: settings.server.port });
    const address = open.http.app.server.address() as AddressInfo; // listening on TCP, so it is one
    return { url: browserAddress(settings, address.port) };
  }

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= closeServer(open, prepared, settings.server.shutdownGrace).finally(flush);
    return closing;
  }

  return {
    report: await report(settings, prepared),
    log: logger,
    listen: () =>
      listen().catch(async (error: unknown) => {
        // What was opened before the fault is closed again, so that nothing is left running.
        await close();
        throw error;
      }),
    close,
  };
}

/** Every way in, ready to listen. */
function openChannels(
  settings: HelperSettings,
  services: Omit<ChannelServices, 'settings' | 'assetsDirectory' | 'mayUpgrade'>,
): OpenHttp {
  const http = openHttp({
    server: settings.server,
    cors: settings.cors.default,
    logger: services.log,
    metrics: services.metrics.metrics,
    probePaths: probePaths(settings),
  });
  registerChannels(http.app, {
    ...services,
    settings,
    assetsDirectory: fileURLToPath(new URL('dist/widget/', packageUrl())),
    mayUpgrade: http.mayUpgrade,
  });
  return http;
}

/** From here on actions can run, those of suspended turns too. */
async function startActions(
  { plugins, callbacks, tools }: PreparedServer,
  assistant: Assistant,
  log: Logger,
): Promise<void> {
  for (const plugin of plugins) await plugin.start();
  for (const callback of callbacks) {
    callback.keepFresh(() => {
      tools.toolbox.refresh();
      assistant.resumeSuspended().catch((error: unknown) => {
        log.error({ error }, 'suspended turns could not be taken up');
      });
    });
  }
  await assistant.resumeSuspended();
}

async function report(settings: HelperSettings, prepared: PreparedServer): Promise<ServerReport> {
  return {
    actions: await reportActions(prepared.tools),
    endpoints: reportEndpoints(settings),
    warnings: [...configurationWarnings(settings, process.env), ...callbackWarnings(prepared.callbacks)],
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
