import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { HelperSettings } from '../../config/settings.ts';
import { configurationWarningCodes, configurationWarnings } from '../../config/warnings.ts';
import { withoutEffect } from '../../config/without-effect.ts';
import { withPlaces } from '../../config/with-places.ts';
import { atMost } from '../../core/base/at-most.ts';
import { mcpCallerWarnings } from '../channels/mcp-callers.ts';
import type { StartWarning } from '../channels/mount-channel.ts';
import type { HelperConfiguration } from '../helper-configuration.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { type CoreParts, openCore, prepareParts } from '../open-core.ts';
import { describedFields } from '../open-logger.ts';
import { openMetricsServer } from '../open-metrics-server.ts';
import { widgetDirectory } from '../own-package.ts';
import { registerChannels } from '../register-channels.ts';
import { unaskedWarnings } from '../unasked.ts';
import { defaultPolicy, mcpPolicyOrSetting } from '../cors-policy.ts';
import { guardOfHost } from './guard-of-host.ts';
import { prepareMounted } from './prepare-mounted.ts';

/** Configuration keys whose matters the host decides. */
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

/** Milliseconds by which the hook ends before Fastify's own limit for a hook. */
const hookMarginMs = 500;

/**
 * Opens everything inside a scope of the host's Fastify, as `helperPlugin` promises.
 * @throws StartupFaults with every fault of the configuration.
 * @throws Error when the storage cannot be opened, or without a prefix.
 */
export async function mountHelper(app: FastifyInstance, config: string | HelperConfiguration): Promise<void> {
  if (app.prefix === '') {
    throw new Error(
      "helperPlugin needs a prefix of its own: app.register(helperPlugin, { prefix: '/assistant', config })",
    );
  }
  const loaded = loadConfiguration(config);
  const settings = settingsOfMounted(loaded.settings);
  const log = app.log.child({}, { formatters: { log: describedFields } });
  const parts = await withPlaces(loaded, () => prepareParts(settings, log));
  const close = closeWithHost(app, parts);
  try {
    const warnings = warningsOf(loaded.settings, parts);
    await withPlaces(loaded, () => mount(app, parts, warnings));
    for (const { code, message } of warnings) log.warn({ code }, message);
  } catch (error) {
    // Mounting failed, so everything that it opened is closed again.
    await close();
    throw error;
  }
}

/** Returns the settings with defaults in place of what the host decides. */
function settingsOfMounted(settings: HelperSettings): HelperSettings {
  const server = { ...settings.server, host: '127.0.0.1', port: 0, tls: null, trustProxy: false, securityContact: '' };
  return { ...settings, demoPage: false, server };
}

async function mount(
  app: FastifyInstance,
  parts: CoreParts<FastifyBaseLogger>,
  warnings: readonly StartWarning[],
): Promise<void> {
  const { settings, log, metrics, security, resources } = parts;
  const core = await openCore(parts);
  resources.add(...(await openMetricsServer({ settings, current: core.current }, metrics, { logger: log, security })));
  prepareMounted(app, { settings, log, metrics: metrics.metrics, security });
  registerChannels(app, {
    ...parts,
    ...core,
    warnings,
    guard: guardOfHost(app.server, settings, defaultPolicy(settings)),
    ownPages: guardOfHost(app.server, settings, undefined),
    mcpPages: guardOfHost(app.server, settings, mcpPolicyOrSetting(settings)),
    assetsDirectory: widgetDirectory(),
    mayUpgrade: () => true,
  });
}

/**
 * Lets running turns finish when the host closes (contract/restarts.md#stopping). The drain begins before Fastify waits for open
 * requests, because a stream ends with its turn. Fastify gives a hook at most `pluginTimeout`. After that Fastify continues and waits for
 * the streams itself.
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

function warningsOf(settings: HelperSettings, { prepared }: CoreParts): readonly StartWarning[] {
  // The texts name the address that the server is bound to, and nobody knows that address yet.
  const bound = { ...settings, demoPage: false, server: { ...settings.server, host: 'this server' } };
  const { noPublicUrl } = configurationWarningCodes;
  return [
    ...configurationWarnings(bound, process.env).filter(({ code }) => code !== noPublicUrl),
    ...withoutEffect(settings, keysOfHost, 'the server that this one is mounted in decides that.'),
    ...unaskedWarnings({ settings, ...prepared }),
    ...mcpCallerWarnings(settings, prepared.plugins),
    ...prepared.welcome.warnings,
    ...prepared.warnings(),
  ];
}
