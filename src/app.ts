import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Stores } from './adapters/stores/stores.ts';
import { reportAnswering } from './app/agents/report-answering.ts';
import { reportAgents } from './app/agents/agent-report.ts';
import { backupCommand } from './app/backup/backup-command.ts';
import { eraseCommand } from './app/conversations/erase-command.ts';
import { readKnowledgeQuery } from './app/knowledge/report-knowledge.ts';
import { defaultPolicy, mcpPolicy, mcpPolicyOrSetting } from './app/cors-policy.ts';
import { crossOriginGuard } from './app/cross-origin-guard.ts';
import { type ControlCommands, openControlSocket } from './app/control-socket.ts';
import { type CoreParts, type OpenCore, openCore, prepareParts } from './app/open-core.ts';
import { openHttp, type OpenHttp } from './app/open-http.ts';
import { openLogger } from './app/open-logger.ts';
import { openMetricsServer } from './app/open-metrics-server.ts';
import { widgetDirectory } from './app/own-package.ts';
import type { ChannelServices } from './app/channels/mount-channel.ts';
import { probePaths } from './app/channels/mount-ops.ts';
import type { ReloadResult } from './app/reload/reloader.ts';
import { SharedReload } from './app/replicas/shared-reload.ts';
import { WatchedFile } from './app/reload/watched-file.ts';
import { registerChannels } from './app/register-channels.ts';
import { mcpCallerWarnings } from './app/channels/mcp-callers.ts';
import { signInWarnings } from './app/access-warnings.ts';
import {
  browserAddress,
  reportActions,
  reportEndpoints,
  reportMcpServers,
  type ServerReport,
} from './app/server-report.ts';
import { reportModels } from './app/model-report.ts';
import type { IssuerTrial } from './app/try-issuers.ts';
import { type ModelTrial, tryModels } from './app/try-models.ts';
import { weightOf, weightText } from './app/tool-weight.ts';
import { unaskedWarnings } from './app/unasked.ts';
import type { HelperSettings } from './config/settings.ts';
import { configurationWarnings } from './config/warnings.ts';
import type { Clock } from './core/ports/clock.ts';
import type { Logger } from './core/ports/logger.ts';

export type { ServerReport } from './app/server-report.ts';
export type { IssuerTrial } from './app/try-issuers.ts';
export type { ModelTrial } from './app/try-models.ts';

/** A server that is ready to listen. */
export interface HelperServer {
  readonly report: ServerReport;
  readonly log: Logger;
  /** Asks each entry of `models` one small question. Nothing else is opened for it. */
  tryModels(): Promise<readonly ModelTrial[]>;
  /** Fetches what each issuer of tokens publishes. */
  tryIssuers(): Promise<readonly IssuerTrial[]>;
  /**
   * Opens storage, starts the plugins and listens. Resolves once the server answers requests.
   * @throws StartupFaults when a plugin does not start.
   * @throws Error when the port or the storage cannot be had.
   */
  listen(): Promise<ListeningServer>;
  /**
   * Drains and closes everything (contract/restarts.md#stopping): at once when no turn runs, and after `server.shutdownGrace` at the
   * latest.
   */
  close(): Promise<void>;
}

/** A server that listens. */
export interface ListeningServer {
  readonly url: string;
  /**
   * Takes the changed configuration file for turns that begin from now on.
   * @throws StartupFaults when the file has faults. Nothing has changed then.
   */
  reload(): Promise<ReloadResult>;
}

interface BuildOptions {
  /** True: nothing is logged. */
  readonly silent?: boolean;
  /** Gets the opened stores and returns the stores that the server uses. Left out, the server uses the opened stores. */
  readonly stores?: (opened: Stores) => Stores;
  /** Tells the time to turns, tokens, confirmations, snapshots and limits of messages. Left out, the machine's clocks do. */
  readonly clock?: Clock;
}

/**
 * The composition root: takes settings and returns a server. Loads plugins, asks callbacks for their actions and builds the model. Opens
 * nothing and calls no model, so that `helper check` sees exactly what `helper start` would serve.
 * @throws StartupFaults with every fault found.
 */
export async function buildServer(settings: HelperSettings, options: BuildOptions = {}): Promise<HelperServer> {
  const { logger, flush } = await openLogger(
    options.silent === true ? { level: 'silent', format: 'json' } : settings.logging,
  );
  const parts = await prepareParts(settings, logger, options.clock);
  const served = await report(parts);
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for a promise
    closing ??= parts.resources.close(settings.server.shutdownGrace).finally(flush);
    return closing;
  }
  return {
    report: served,
    log: logger,
    tryModels: () => tryModels(parts),
    // Loaded only here: a server without tokens needs no memory for reading them.
    tryIssuers: async () => (await import('./app/try-issuers.ts')).tryIssuers(settings),
    listen: () =>
      listen(parts, served.warnings, options).catch(async (error: unknown) => {
        // What was opened before the fault is closed again, so that nothing is left running.
        await close();
        throw error;
      }),
    close,
  };
}

/** Opens the core, then the channels. */
async function listen(
  parts: CoreParts<FastifyBaseLogger>,
  warnings: ServerReport['warnings'],
  options: BuildOptions,
): Promise<ListeningServer> {
  const { settings, log, security, resources } = parts;
  const core = await openCore(parts, options.stores);
  resources.add(
    ...(await openMetricsServer({ settings, current: core.current }, parts.metrics, { logger: log, security })),
  );
  const http = openChannels({ ...parts, ...core, warnings });
  await http.app.listen({ host: settings.server.host, port: settings.server.port });
  const address = http.app.server.address() as AddressInfo; // the server listens on TCP
  const { reloader } = core;
  const reload = reloadOfAll(parts, core);
  if (settings.server.watch)
    resources.add(new WatchedFile('configuration', settings.configFile, () => void reloader.reload().catch(() => 0)));
  if (settings.storage.type !== 'memory')
    resources.add(...(await openControlSocket(settings.storage.path, await controlCommands(parts, core, reload), log)));
  return { url: browserAddress(settings, address.port), reload };
}

/** Reads the configuration again, on this server and on the other replicas. */
function reloadOfAll({ clock, log, resources }: CoreParts, { bus, reloader }: OpenCore): ListeningServer['reload'] {
  if (bus === undefined) return () => reloader.reload();
  const shared = new SharedReload({ bus, reloader, clock, log });
  resources.add(shared);
  return () => shared.reload();
}

/** Answers what the `helper` commands ask a running server (contract/operations.md). */
async function controlCommands(
  { settings, clock, prepared }: CoreParts<FastifyBaseLogger>,
  { erasure }: OpenCore,
  reload: ListeningServer['reload'],
): Promise<ControlCommands> {
  return {
    reload,
    // A database of PostgreSQL is not in a file of this server.
    ...(settings.storage.type === 'embedded' && { backup: await backupCommand(settings.storage.path, clock) }),
    erase: eraseCommand(erasure),
    knowledge: (sent) => prepared.knowledge.report(readKnowledgeQuery(sent)),
  };
}

/** Opens every channel, ready to listen. */
function openChannels(
  services: Omit<ChannelServices, 'assetsDirectory' | 'guard' | 'ownPages' | 'mcpPages' | 'mayUpgrade'>,
): OpenHttp {
  const { settings, log, metrics, security, resources } = services;
  const http = openHttp({
    server: settings.server,
    cors: settings.cors.default,
    hasOwnPolicies: mcpPolicy(settings) !== undefined,
    logger: log,
    metrics: metrics.metrics,
    security,
    probePaths: probePaths(settings),
  });
  resources.add(http.resource);
  registerChannels(http.app, {
    ...services,
    assetsDirectory: widgetDirectory(),
    guard: crossOriginGuard(settings, settings.server.host, defaultPolicy(settings)),
    ownPages: crossOriginGuard(settings, settings.server.host, undefined),
    mcpPages: crossOriginGuard(settings, settings.server.host, mcpPolicyOrSetting(settings)),
    mayUpgrade: http.mayUpgrade,
  });
  return http;
}

async function report({ settings, prepared, network, estimates }: CoreParts): Promise<ServerReport> {
  const weight = weightOf(prepared.tools.toolbox.current, { models: prepared.models.models, estimates });
  return {
    models: reportModels(settings),
    actions: await reportActions(settings, prepared.tools, prepared.agents.current.definitions),
    agents: [
      ...reportAnswering(settings, prepared),
      ...reportAgents(prepared.agents.current, prepared.tools.toolbox.current),
    ],
    skills: prepared.skills.report,
    mcpServers: reportMcpServers(settings),
    endpoints: reportEndpoints(settings, prepared.plugins),
    network,
    toolWeight: { ...weight, words: weightText(weight) },
    warnings: [
      ...configurationWarnings(settings, process.env),
      ...unaskedWarnings({ settings, ...prepared }),
      ...signInWarnings(settings, prepared),
      ...mcpCallerWarnings(settings, prepared.plugins),
      ...prepared.welcome.warnings,
      ...prepared.warnings(),
    ],
    model: {
      name: prepared.models.current.model,
      isDemo: prepared.models.current.isDemo,
      isAgent: settings.agent !== null,
    },
    demoPage: settings.demoPage ? `${browserAddress(settings, settings.server.port)}/` : null,
  };
}
