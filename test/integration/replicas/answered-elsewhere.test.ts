import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { answeredElsewhere } from '../../../src/channels/mcp/answered-elsewhere.ts';
import { ConnectionOwners } from '../../../src/channels/shared/replicas/connection-owners.ts';
import { ConnectionsElsewhere } from '../../../src/channels/shared/replicas/connections-elsewhere.ts';
import { RequestForwarder } from '../../../src/channels/shared/replicas/request-forwarder.ts';
import { prepareHttp } from '../../../src/channels/shared/prepare-http.ts';
import { anonymousPrincipal } from '../../../src/core/identity/principal.ts';
import { at, joinedBuses, quickTimes } from '../../support/bus/opened-buses.ts';
import { recordingLogger } from '../../support/quiet.ts';

/** A replica whose calls all belong to another one, which is there and answers nothing. Gives what posts a call to it. */
async function unanswered(): Promise<{
  readonly post: (params: object) => Promise<Response>;
  readonly leave: unknown;
}> {
  const buses = await joinedBuses(new InProcessExchange(), 2, { times: { ...quickTimes, answerMs: 100, againMs: 50 } });
  const bus = at(buses, 0);
  const owners = new ConnectionOwners({ bus, log: recordingLogger(), tokenMs: 1, isNeeded: () => false });
  const elsewhere = new ConnectionsElsewhere(owners, new RequestForwarder(bus));
  const leave = vi.fn();
  const direct = { placeOf: () => Promise.resolve({ replica: at(buses, 1).replica, leave }) };
  const principal = anonymousPrincipal('test');
  const caller = { channel: 'mcp', principal, counted: principal, canConfirm: true } as const;
  const app = fastify({ forceCloseConnections: true });
  prepareHttp(app);
  app.post('/mcp', async (request, reply) => {
    const { signal } = new AbortController();
    const isAnswered = await answeredElsewhere({ request, reply, caller, signal }, { direct, elsewhere });
    return isAnswered ? reply : 'asked here';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    owners.close();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  const post = (params: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(port)}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
  return { post, leave };
}

describe('a call over MCP whose question another replica has (contract/replicas.md#programs)', () => {
  // proves wire-10-93
  it('asks anew while that replica cannot be reached, unless it names the question', async () => {
    const { post, leave } = await unanswered();
    const anew = await post({ name: 'cancel_order', arguments: {} });
    expect([anew.status, await anew.text()]).toEqual([200, 'asked here']);
    const naming = await post({ name: 'cancel_order', arguments: {}, requestState: 'aaaaaaaa.question' });
    expect(naming.status).toBe(503);
    expect(await naming.json()).toMatchObject({ code: 'cluster_unavailable' });
    await expect.poll(() => leave).toHaveBeenCalledTimes(2);
  });
});
