import type { Helper, HelperSession, HelperUser } from '../../channels/in-process/helper-session.ts';
import { InProcessSession } from '../../channels/in-process/in-process-session.ts';
import { readUser } from '../../channels/in-process/read-arguments.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { configurationWarningCodes, configurationWarnings } from '../../config/warnings.ts';
import { withoutEffect } from '../../config/without-effect.ts';
import { withPlaces } from '../../config/with-places.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { type Principal, tenantOf } from '../../core/identity/principal.ts';
import type { Place } from '../../core/limits/caller-room.ts';
import { countedCaller } from '../../core/limits/counted-caller.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { ActionLog } from '../../plugin-api/index.ts';
import type { HelperConfiguration } from '../helper-configuration.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { type CoreParts, type OpenCore, openCore, prepareParts } from '../open-core.ts';
import { openLogger } from '../open-logger.ts';
import { hostLogger } from './host-logger.ts';

/** Keys that have a meaning only over HTTP, or for the widget. */
const keysOfTheServer = [
  ...['host', 'port', 'basePath', 'publicUrl', 'hosts', 'trustProxy', 'hubPath', 'ssePath', 'channels', 'tls'],
  ...['maxConnectionsPerAddress', 'maxTurnsPerAddress', 'maxRequestsPerAddress', 'requestTimeout'],
].map((key) => `server.${key}`);
const keysOfWidget = [
  'demoPage',
  'botName',
  'welcomeMessage',
  'theme',
  'position',
  'primaryColor',
  'avatarUrl',
  'inputPlaceholder',
  'client',
];
/** Keys of the dashboard. There is no dashboard inside a process. */
const keysOfDashboard = ['dashboardRole', 'modelPricing'];

/** Warnings that also count without HTTP. */
const ownWarnings: readonly string[] = [
  configurationWarningCodes.historyNeverTrimmed,
  configurationWarningCodes.questionsEnd,
  configurationWarningCodes.snapshotsEnd,
  configurationWarningCodes.contentInTelemetry,
];

/**
 * Opens the assistant inside this process, as `createHelper` promises.
 * @throws StartupFaults with every fault of the configuration; Error when the storage cannot be had.
 */
export async function openHelper(
  config: string | HelperConfiguration,
  { log }: { readonly log?: ActionLog | undefined },
): Promise<Helper> {
  const loaded = loadConfiguration(config);
  const { settings } = loaded;
  const logger = await loggerOf(settings, log);
  const parts = await withPlaces(loaded, () => prepareParts(settings, logger.log));
  const close = async (): Promise<void> => {
    await parts.resources.close(settings.server.shutdownGrace);
    await logger.flush();
  };
  try {
    const core = await withPlaces(loaded, () => openCore(parts));
    warn(parts, log !== undefined);
    return new LocalHelper(parts, core, close);
  } catch (error) {
    // Whatever was opened before the fault is closed again, so that nothing is left running.
    await close();
    throw error;
  }
}

async function loggerOf(
  settings: HelperSettings,
  log: ActionLog | undefined,
): Promise<{ readonly log: Logger; readonly flush: () => Promise<void> }> {
  if (log !== undefined) return { log: hostLogger(log), flush: () => Promise.resolve() };
  const { logger, flush } = await openLogger(settings.logging);
  return { log: logger, flush };
}

function warn({ settings, prepared, log }: CoreParts, isHostsLog: boolean): void {
  const withHub = { ...settings, server: { ...settings.server, channels: ['hub' as const] } };
  const keys = [
    ...keysOfTheServer,
    ...keysOfWidget,
    ...keysOfDashboard,
    'endpoints',
    'cors',
    ...(isHostsLog ? ['logging'] : []),
  ];
  const warnings = [
    ...configurationWarnings(withHub, process.env).filter(({ code }) => ownWarnings.includes(code)),
    ...withoutEffect(settings, keys, 'the assistant runs inside another program, which is its own server and page.'),
    ...prepared.warnings(),
  ];
  for (const { code, message } of warnings) log.warn({ code }, message);
}

/** Sessions over the core of this process. */
class LocalHelper implements Helper {
  readonly #parts: CoreParts;
  readonly #core: OpenCore;
  readonly #closeParts: () => Promise<void>;
  #open = 0;
  #closing: Promise<void> | undefined;

  constructor(parts: CoreParts, core: OpenCore, closeParts: () => Promise<void>) {
    this.#parts = parts;
    this.#core = core;
    this.#closeParts = closeParts;
  }

  async session(options?: { readonly user?: HelperUser }): Promise<HelperSession> {
    const { authenticator } = this.#parts.prepared;
    const user = readUser(options);
    const principal = user === undefined ? authenticator.anonymous().principal : await authenticator.vouchedFor(user);
    return this.#openSession(principal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeParts();
    return this.#closing;
  }

  #openSession(principal: Principal): HelperSession {
    if (this.#closing !== undefined) throw new HelperError('server_draining', 'This helper is closed.');
    const { settings, log, metrics } = this.#parts;
    const place = this.#takePlace(principal);
    const openedAt = performance.now();
    const tenant = tenantOf(principal);
    metrics.metrics.of(tenant).connectionOpened('in-process');
    return new InProcessSession({
      ...this.#core,
      principal,
      maxBufferedBytes: settings.server.maxBufferedBytes,
      log,
      metrics: metrics.metrics,
      onClosed: () => {
        this.#open -= 1;
        place.release();
        metrics.metrics.of(tenant).connectionEnded('in-process', performance.now() - openedAt);
      },
    });
  }

  #takePlace(principal: Principal): Place {
    const { settings, metrics, security } = this.#parts;
    if (this.#open >= settings.server.maxConnections) {
      throw new HelperError('overloaded', 'server.maxConnections sessions are open: close those that nobody uses.');
    }
    const caller = countedCaller(principal, undefined);
    const place = this.#core.rooms.connections.take(caller);
    if (place === undefined) {
      security.noteLimit('connections', caller);
      metrics.metrics.of(tenantOf(principal)).rateLimited('connection');
      throw new HelperError('rate_limited', 'This user has server.maxConnectionsPerUser sessions: close one first.');
    }
    this.#open += 1;
    return place;
  }
}
