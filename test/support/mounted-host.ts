import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import { helperPlugin } from '../../src/index.ts';
import type { ScriptedModel } from './scripted-model.ts';
import { scriptedConfiguration, type ScriptedOptions } from './scripted-server.ts';

export interface MountedHost {
  readonly host: FastifyInstance;
  readonly model: ScriptedModel;
  /** The address of the host. The assistant is below `/assistant`. */
  readonly url: string;
  readonly assistant: string;
}

export interface MountedHostOptions extends ScriptedOptions {
  readonly fastify?: FastifyServerOptions;
  /** Called before the assistant is registered. */
  readonly before?: (host: FastifyInstance) => void | Promise<void>;
  /** Called after the assistant is registered. */
  readonly after?: (host: FastifyInstance) => void;
  /** Called when everything is registered and the host does not listen yet. */
  readonly beforeListening?: (host: FastifyInstance) => Promise<unknown>;
  /** The address on which the host listens. Left out, the loopback address. */
  readonly address?: string;
}

/** A host's Fastify on a free port, with the assistant below `/assistant`. It ends with the test. */
export async function mountedHost(options: MountedHostOptions): Promise<MountedHost> {
  const { configuration, model } = await scriptedConfiguration(options);
  const config = { storage: { type: 'memory' }, server: { shutdownGrace: '0s' }, ...configuration };
  const host = fastify(options.fastify ?? {});
  onTestFinished(() => host.close());
  await options.before?.(host);
  host.register(helperPlugin, { prefix: '/assistant', config });
  options.after?.(host);
  await options.beforeListening?.(host);
  await host.listen({ host: options.address ?? '127.0.0.1', port: 0 });
  const { port } = host.server.address() as AddressInfo; // it listens on TCP
  const url = `http://127.0.0.1:${String(port)}`;
  return { host, model, url, assistant: `${url}/assistant` };
}
