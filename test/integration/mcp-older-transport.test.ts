import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allOf } from '../support/in-process-helper.ts';
import { answering, mcpHelper, offeredIn, reasonsIn, statusesIn, toldTo } from '../support/mcp/mcp-helper.ts';
import { startMcpServer, type TestTool } from '../support/mcp/real-mcp-server.ts';
import { calling, saying } from '../support/scripted-model.ts';

const find: TestTool = { name: 'find', annotations: { readOnlyHint: true }, run: () => 'found' };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers as a test says. `asked`: the method and the path of each request. */
async function rawServer(answer: Answer): Promise<{ readonly origin: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked };
}

/** A server with the older transport that names this address for requests. */
function naming(endpoint: string): Answer {
  return (request, response) => {
    if (request.method !== 'GET') return void response.writeHead(405).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
  };
}

/** Why the only server has failed. The first message waits until it has. */
async function reasonAt(url: string, server: object = {}): Promise<string> {
  const { session, log } = await mcpHelper([{ name: 'erp', serverUrl: url, ...server }], [saying('Hello.')]);
  await allOf(session.send('hello'));
  const failed = log.lines.find(({ message }) => message === 'an MCP server failed');
  const { reason = '' } = (failed?.fields ?? {}) as { readonly reason?: string }; // as the client writes it
  return reason;
}

describe('an MCP server with the old HTTP+SSE transport (contract/mcp-servers.md#connections)', () => {
  // proves service-2.16-95
  it('is connected at its own address, and its tools run as those of others', async () => {
    let paid = 0;
    const pay: TestTool = {
      name: 'pay',
      run: () => {
        paid += 1;
        return 'paid';
      },
    };
    const mcp = await startMcpServer('sse', [find, pay]);
    const script = [
      calling({ name: 'find', arguments: {} }),
      saying('Found.'),
      calling({ name: 'pay', arguments: {} }),
      saying('Paid.'),
    ];
    const erp = { name: 'erp', serverUrl: mcp.url, headers: { 'x-key': 'secret-of-erp' } };
    const { session, model, log } = await mcpHelper([erp], script);
    expect(statusesIn(await allOf(session.send('find')))).toEqual(['find succeeded']);
    expect(toldTo(model)).toEqual(['[succeeded] found']);
    const events = await answering(session.send('pay'), (id) => session.approve(id, true));
    expect(reasonsIn(events)).toEqual(['write']);
    expect(statusesIn(events)).toEqual(['pay succeeded']);
    expect(paid).toBe(1);
    expect(mcp.requests.every(({ headers }) => headers['x-key'] === 'secret-of-erp')).toBe(true);
    const connected = log.lines.find(({ message }) => message === 'an MCP server is connected');
    expect(connected?.fields).toMatchObject({ transport: 'HTTP+SSE' });
  });

  // proves service-2.16-95
  it.each([400, 404, 405])('is found where it answers %i to the first request', async (status) => {
    const mcp = await startMcpServer('sse', [find]);
    mcp.before = ({ headers, method }, response) => {
      const isFirst = method !== 'GET' && headers['mcp-protocol-version'] === undefined && mcp.of('GET').length === 0;
      if (isFirst) response.writeHead(status).end();
      return isFirst;
    };
    const { session, model } = await mcpHelper([{ name: 'erp', serverUrl: mcp.url }], [saying('Hello.')]);
    await allOf(session.send('hello'));
    expect(offeredIn(model, 0)).toContain('find');
  });

  // proves service-2.16-95
  it('is connected again when its stream has ended, and a call is not left waiting', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<undefined>();
    const slow: TestTool = {
      ...find,
      run: () => {
        resolve(undefined);
        return new Promise(() => undefined);
      },
    };
    const mcp = await startMcpServer('sse', [slow]);
    const script = [calling({ name: 'find', arguments: {} }), saying('Lost.'), saying('Back.')];
    const { session, model, log } = await mcpHelper([{ name: 'erp', serverUrl: mcp.url }], script);
    const turn = allOf(session.send('find'));
    await begun;
    await mcp.close();
    expect(statusesIn(await turn)).toEqual(['find unknown']);
    await mcp.listen();
    await expect
      .poll(
        () => log.lines.filter(({ message }) => message === 'an MCP server failed').length > 0 && mcp.of('GET').length,
      )
      .toBeGreaterThan(1);
    await allOf(session.send('hello'));
    expect(offeredIn(model, 2)).toContain('find');
  });

  // proves service-2.16-96
  it('sends nothing to an address of another origin that the server names', async () => {
    const other = await rawServer((_, response) => void response.writeHead(202).end());
    const { origin } = await rawServer(naming(`${other.origin}/messages`));
    expect(await reasonAt(`${origin}/sse`, { headers: { 'x-key': 'secret' } })).toMatch(
      /^answered with status 405, and/,
    );
    expect(other.asked).toEqual([]);
  });

  // proves service-2.16-96
  it.each<[string, Answer]>([
    ['a redirect', (_, response) => void response.writeHead(302, { location: '/other' }).end()],
    ['a page', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    [
      'an event without an end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${'x'.repeat(5 * 1024 * 1024)}`);
      },
    ],
    [
      'a stream that ends at once',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    ],
    ['404', (_, response) => void response.writeHead(404).end()],
  ])('is no server that answers the request for the stream with %s, and is asked for it once', async (_, answer) => {
    const { origin, asked } = await rawServer((request, response) => {
      if (request.method === 'GET') answer(request, response);
      else response.writeHead(404).end();
    });
    expect(await reasonAt(`${origin}/sse`)).toBe(
      'answered with status 404, and has no event stream of the old HTTP+SSE transport there either',
    );
    expect(asked.filter((line) => line.startsWith('GET'))).toEqual(['GET /sse']);
  });

  // proves service-2.16-96
  it('is not followed where it redirects requests', async () => {
    const other = await rawServer((_, response) => void response.writeHead(202).end());
    const named = naming('/messages');
    const { origin } = await rawServer((request, response) => {
      if (request.url === '/messages') response.writeHead(307, { location: `${other.origin}/messages` }).end();
      else named(request, response);
    });
    expect(await reasonAt(`${origin}/sse`)).toMatch(/^answered with status 405, and/);
    expect(other.asked).toEqual([]);
  });
});
