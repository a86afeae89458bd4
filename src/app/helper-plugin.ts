import type { FastifyPluginAsync } from 'fastify';
import type { HelperConfiguration } from './helper-configuration.ts';

/** Options of `helperPlugin`, beside Fastify's own `prefix`, which it needs. */
export interface HelperPluginOptions {
  /** The path of a YAML file, or an object of the same keys and values. */
  readonly config: string | HelperConfiguration;
}

/**
 * The whole server as a Fastify plugin: hub, server-sent events, control endpoints, widget and probes below a prefix of a host's own
 * server. Host, port, TLS, proxies, log and signals are the host's; its hooks, error handler and parsers stay what they are.
 * The host's `close` lets running turns finish as SIGTERM does.
 * @throws StartupFaults with every fault of the configuration; Error when the storage cannot be had.
 */
export const helperPlugin: FastifyPluginAsync<HelperPluginOptions> = async (app, options) => {
  // Plugins of the assistant import this package for its small parts: they must not pay for the whole server.
  const { mountHelper } = await import('./mount/mount-helper.ts');
  await mountHelper(app, options.config);
};

// Names the plugin and the versions of Fastify that it supports. The plugin stays encapsulated.
Object.assign(helperPlugin, { [Symbol.for('plugin-meta')]: { name: 'helper', fastify: '5.x' } });
