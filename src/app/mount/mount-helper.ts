import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { SecurityLog } from '../../channels/shared/security-log.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { configurationWarningCodes, configurationWarnings } from '../../config/warnings.ts';
import { withoutEffect } from '../../config/without-effect.ts';
import { withPlaces } from '../../config/with-places.ts';
import { atMost } from '../../core/base/at-most.ts';
import type { HelperConfiguration } from '../helper-configuration.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { type CoreParts, openCore, prepareParts } from '../open-core.ts';
import { describedError } from '../open-logger.ts';
import { openMetricsServer } from '../open-metrics-server.ts';
import { widgetDirectory } from '../own-package.ts';
import { registerChannels } from '../register-channels.ts';
import { guardOfHost } from './guard-of-host.ts';
import { prepareMounted } from './prepare-mounted.ts';

/** Keys that the host decides. */
const keysOfHost = [
  ...[
    'server.host',
    'server.port',
    'server.tls',
    'server.trustProxy',
    'server.requestTimeout',
    'server.securityContact',
  ],
  ...['logging', 'demoPage'],
];

/** Milliseconds that are left of Fastify's time for a hook when it is given back. */
const hookMarginMs = 500;

/**
 * Opens everything inside a scope of the host's Fastify, as `helperPlugin` promises.
 * @throws StartupFaults with every fault of the configuration; Error when the storage cannot be had, or without a prefix.
 */
export async function mountHelper(app: FastifyInstance, config: string | HelperConfiguration): Promise<void> {
  if (app.prefix === '') {
    throw new Error(
      "helperPlugin needs a prefix of its own: app.register(helperPlugin, { prefix: '/assistant', config })",
    );
  }
  const loaded = loadConfiguration(config);
  const settings = settingsOfMounted(loaded.settings);
  const log = app.log.child({}, { serializers: { error: describedError, err: describedError } });
  const parts = await withPlaces(loaded, () => prepareParts(settings, log));
  const close = closeWithHost(app, parts);
  try {
    await withPlaces(loaded, () => mount(app, parts));
    warn(loaded.settings, parts);
  } catch (error) {
    // What was opened before the fault is closed again, so that nothing is left running.
    await close();
    throw error;
  }
}

/** What the host decides is as if it were not set. */
function settingsOfMounted(settings: HelperSettings): HelperSettings {
  const server = { ...settings.server, host: '127.0.0.1', port: 0, tls: null, trustProxy: false, securityContact: '' };
  return { ...settings, demoPage: false, server };
}

async function mount(app: FastifyInstance, parts: CoreParts<FastifyBaseLogger>): Promise<void> {
  const { settings, log, metrics, resources } = parts;
  const core = await openCore(parts);
  const security = new SecurityLog(log, metrics.metrics);
  resources.add(...(await openMetricsServer({ settings, current: core.current }, metrics, { logger: log, security })));
  prepareMounted(app, { settings, log, metrics: metrics.metrics });
  registerChannels(app, {
    ...parts,
    ...core,
    security,
    guard: guardOfHost(app.server, settings),
    assetsDirectory: widgetDirectory(),
    mayUpgrade: () => true,
  });
}

/**
 * Lets what runs finish when the host closes (contract/restarts.md#stopping). That begins before Fastify waits for open requests, since streams end with
 * their turns. A hook may take no longer than `pluginTimeout`: Fastify goes on then, and waits for the streams by itself.
 */
function closeWithHost(app: FastifyInstance, { resources, settings }: CoreParts): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= resources.close(settings.server.shutdownGrace);
    return closing;
  };
  const hookMs = app.initialConfig.pluginTimeout ?? 0;
  app.addHook('preClose', () => (hookMs === 0 ? close() : atMost(Math.max(0, hookMs - hookMarginMs), close())));
  app.addHook('onClose', close);
  return close;
}

function warn(settings: HelperSettings, { prepared, log }: CoreParts): void {
  // The texts name the address that the server is bound to, and nobody knows that address yet.
  const bound = { ...settings, demoPage: false, server: { ...settings.server, host: 'this server' } };
  const { noPublicUrl } = configurationWarningCodes;
  const warnings = [
    ...configurationWarnings(bound, process.env).filter(({ code }) => code !== noPublicUrl),
    ...withoutEffect(settings, keysOfHost, 'the server that this one is mounted in decides that.'),
    ...prepared.welcome.warnings,
    ...prepared.warnings(),
  ];
  for (const { code, message } of warnings) log.warn({ code }, message);
}
