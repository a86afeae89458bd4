import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverSentEventsTransport } from '../../src/channels/hub/protocol/transports/server-sent-events-transport.ts';
import { HttpHubClient } from '../support/hub-http-client.ts';
import { listenRequest } from '../support/mcp/listening.ts';
import { mountedHost } from '../support/mounted-host.ts';
import { openRawSocket, requestText } from '../support/raw-socket.ts';
import { hangingAfter } from '../support/scripted-model.ts';

/** A host hands requests on as they come, also those that wait behind another one of their socket. */
async function hostWithEveryStream() {
  const { assistant, model } = await mountedHost({
    scripts: [],
    otherwise: hangingAfter('Wait'),
    settings: {
      server: { shutdownGrace: 0, disconnectGrace: 0, maxRequestsPerAddress: 3, maxConnectionsPerAddress: 4 },
      mcpServerEnabled: true,
      a2aServerEnabled: true,
      endpoints: {
        openai: { enabled: true, requireAuthorization: false },
        agui: { enabled: true, requireAuthorization: false },
      },
    },
  });
  /** The open connections of each channel. Undefined where the server refuses to tell, as it does beyond three requests of an address. */
  const open = async (): Promise<Readonly<Record<string, number>> | undefined> => {
    const answer = await fetch(`${assistant}/metrics`);
    const text = await answer.text();
    if (!answer.ok) return undefined;
    const lines = [...text.matchAll(/^helperagent_connections\{[^}]*channel="(\w+)"[^}]*\} (\d+)$/gm)];
    const counted = lines.map(([, channel = '', count]): [string, number] => [channel, Number(count)]);
    return Object.fromEntries(counted.filter(([, count]) => count > 0));
  };
  return { assistant, model, open };
}

const said = [{ role: 'user', id: 'm1', content: 'hello' }];
const posting = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): string =>
  requestText(`POST /assistant${path}`, headers, JSON.stringify(body));
const listen = listenRequest();
const sendTask = {
  jsonrpc: '2.0',
  id: 1,
  method: 'SendStreamingMessage',
  params: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } },
};

const chat = requestText('GET /assistant/helper/chat?message=hello');

const behind: readonly (readonly [what: string, channel: string, request: string])[] = [
  ['a stream of a turn', 'sse', chat],
  ['a reply of /v1', 'openai', posting('/v1/chat/completions', { model: 'helper', messages: said })],
  ['a stream of /v1', 'openai', posting('/v1/chat/completions', { model: 'helper', messages: said, stream: true })],
  ['a run', 'agui', posting('/agui', { threadId: 't', runId: 'r', messages: said, tools: [], context: [] })],
  ['a stream of a task', 'a2a', posting('/a2a', sendTask, { 'a2a-version': '1.0' })],
  ['a stream of changed lists', 'mcp', requestText('POST /assistant/mcp', listen.headers, listen.body)],
];

describe('an answer behind another one of its socket, whose client leaves (contract/limits.md#callers)', () => {
  // proves service-17-01
  it.each(behind)('leaves nothing behind: %s', async (_what, channel, request) => {
    const { assistant, open } = await hostWithEveryStream();
    const both = channel === 'sse' ? { sse: 2 } : { sse: 1, [channel]: 1 };
    for (let round = 1; round <= 3; round += 1) {
      const client = await openRawSocket(assistant);
      client.send(chat + request);
      await expect.poll(open).toEqual(both);
      client.socket.destroy();
      await expect.poll(open).toEqual({});
    }
  });

  // proves service-17-01
  it('leaves nothing behind: a stream of the hub', async () => {
    const { assistant, open } = await hostWithEveryStream();
    const hub = await HttpHubClient.negotiate(`${assistant}/helper-hub`);
    const client = await openRawSocket(assistant);
    const { pathname, search } = new URL(hub.address);
    client.send(chat + requestText(`GET ${pathname}${search}`, { accept: 'text/event-stream' }));
    await expect.poll(open).toEqual({ sse: 1 });
    await hub.post('{"protocol":"json","version":1}\u001e');
    await expect.poll(open).toEqual({ sse: 1, hub: 1 });
    client.socket.destroy();
    await expect.poll(open).toEqual({});
  });

  // proves service-17-42
  it('takes their socket along where the server has to end it: a stream of the hub', async () => {
    const host = fastify({ forceCloseConnections: true });
    const opened = Promise.withResolvers<ReturnType<typeof serverSentEventsTransport>>();
    host.get('/quiet', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('quiet');
    });
    host.get('/events', (_request, reply) => {
      opened.resolve(serverSentEventsTransport(reply));
    });
    const url = await host.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => host.close());
    const client = await openRawSocket(url);
    client.send(requestText('GET /quiet') + requestText('GET /events'));
    (await opened.promise).terminate();
    await client.closed;
  });
});
