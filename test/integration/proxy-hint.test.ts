import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hintAtProxy } from '../../src/channels/shared/proxy-hint.ts';
import { recordingLogger } from '../support/quiet.ts';

/** A server that answers `/429` with status 429 and `/200` with status 200, and the lines of its log. */
async function limitedServer(trustProxy = false) {
  const log = recordingLogger();
  let now = 5;
  const app = fastify();
  hintAtProxy(app, { trustProxy, log, isTooMany: () => false, now: () => now });
  for (const status of [200, 429]) app.get(`/${String(status)}`, (_request, reply) => reply.code(status).send());
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return {
    lines: log.lines,
    wait: (ms: number) => (now += ms),
    ask: async (path: string, forwarded: string | undefined = '203.0.113.1') => {
      const headers: Record<string, string> = forwarded === '' ? {} : { 'x-forwarded-for': forwarded };
      await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers });
    },
  };
}

describe('a limit that a request with X-Forwarded-For hits (contract/limits.md#callers)', () => {
  // proves wire-8-81
  it('is told of once a minute while server.trustProxy is off', async () => {
    const { lines, wait, ask } = await limitedServer();
    await ask('/429');
    await ask('/429');
    wait(59_999);
    await ask('/429');
    expect(lines).toEqual([
      { level: 'warn', fields: {}, message: expect.stringContaining('server.trustProxy: true') as string },
    ]);
    wait(1);
    await ask('/429');
    expect(lines).toHaveLength(2);
  });

  it('is not told of without the header, without a limit, or with trustProxy', async () => {
    const { lines, ask } = await limitedServer();
    await ask('/429', '');
    await ask('/200');
    expect(lines).toEqual([]);
    const trusting = await limitedServer(true);
    await trusting.ask('/429');
    expect(trusting.lines).toEqual([]);
  });
});
