import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { mcpPlugin } from '../support/mcp-plugin.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const members = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${String(at)}`, 1]));

/** The milliseconds that this process, which is the server too, works until something is done. */
async function workOf(done: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await done();
  return process.cpuUsage(before).user / 1_000;
}

describe('a request of very many values (contract/addresses.md#requests)', () => {
  // proves wire-24-01
  it.each([
    ['members', () => members(60_000)],
    ['values of a list', () => ({ order: Array(200_000).fill(1) })],
    ['members deep in them', () => ({ order: [{ a: members(3_000) }] })],
  ])('is refused before anybody looks at each: arguments over MCP with many %s', async (_title, given) => {
    const { url } = await scriptedServer({ scripts: [], plugin: mcpPlugin, settings: { mcpServerEnabled: true } });
    const call = (argumentsValue: unknown): Promise<Response> => {
      const params = { name: 'get_order', arguments: argumentsValue };
      return fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
    };
    expect((await call({ order: 'x'.repeat(900_000) })).status).toBe(200);
    const argumentsValue = given();
    const work = await workOf(async () => {
      const response = await call(argumentsValue);
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    });
    // To look at each takes more than a second.
    expect(work).toBeLessThan(400);
  });
});

/** A connection of the hub that has shaken hands. */
async function handshaken(url: string, protocol: 'json' | 'messagepack'): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/helper-hub`, { perMessageDeflate: false });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(`{"protocol":"${protocol}","version":1}\u001e`);
  await new Promise((resolve) => socket.once('message', resolve));
  return socket;
}

/** A message of MessagePack with its length in front. */
function framed(message: Uint8Array): Buffer {
  const length: number[] = [];
  let left = message.length;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) length.push((left % 0x80) | 0x80);
  return Buffer.concat([Uint8Array.from([...length, left]), message]);
}

/** An invocation whose only argument is these bytes of MessagePack. */
function invocation(argument: Uint8Array): Buffer {
  const [head, end] = [encode([1, {}, null, 'SendMessage', ['']]).slice(0, -1), encode([])];
  head[0] = 0x96;
  return framed(Buffer.concat([head, argument, end]));
}

const megabytes = 4 * 1024 * 1024;
const asked = (data: string): string => `{"type":1,"target":"SendMessage","arguments":["",{"page":${data}}]}\u001e`;

describe('a message of the hub of very many values (contract/hub.md#side-by-side)', () => {
  // proves wire-24-02
  it.each([
    ['json', 'lists', () => asked(`[${'[],'.repeat(megabytes / 3)}0]`)],
    ['json', 'nested lists', () => asked('['.repeat(megabytes / 2) + ']'.repeat(megabytes / 2))],
    ['json', 'members', () => asked(JSON.stringify(members(300_000)))],
    ['json', 'numbers', () => asked(`[${'0,'.repeat(megabytes / 2)}0]`)],
    ['json', 'messages of one frame', () => '{"type":6}\u001e'.repeat(megabytes / 11)],
    ['messagepack', 'nested lists', () => invocation(Buffer.concat([Buffer.alloc(megabytes, 0x91), Buffer.of(0xc0)]))],
    ['messagepack', 'members', () => invocation(encode(members(300_000)))],
    ['messagepack', 'messages of one frame', () => Buffer.alloc(megabytes, framed(encode([6])))],
  ] as const)('ends its connection before it is read: %s with many %s', async (protocol, _what, frame) => {
    const { url } = await scriptedServer({ scripts: [], settings: { enableImageInput: true } });
    const socket = await handshaken(url, protocol);
    const told: string[] = [];
    socket.on('message', (data: Buffer) => told.push(data.toString('latin1')));
    const bytes = frame();
    const work = await workOf(async () => {
      socket.send(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
    });
    expect(told.at(-1)).toMatch(/has more values than this server reads|One frame has more than 1000 messages/);
    // To read it takes seconds and hundreds of megabytes.
    expect(work).toBeLessThan(1_000);
  });

  // proves wire-24-02
  it('is read where it is as long, and honest', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { enableImageInput: true } });
    const socket = await handshaken(url, 'json');
    const answered = new Promise<string>((resolve) => {
      socket.on('message', (data: Buffer) => {
        if (data.includes('"invocationId":"1"')) resolve(data.toString());
      });
    });
    const picture = `{"contentType":"image/png","data":"${'{[:,'.repeat(megabytes / 4)}"}`;
    socket.send(
      `{"type":1,"invocationId":"1","target":"SendMessage","arguments":["",{"attachments":[${picture}]}]}\u001e`,
    );
    expect(await answered).toContain('"type":3');
    socket.close();
  });
});
