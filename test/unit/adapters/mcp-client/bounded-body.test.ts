import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { boundedBody } from '../../../../src/adapters/mcp-client/bounded-body.ts';

const limits = { answerBytes: 100, streamBytes: 1_000, streamEvents: 3, windowMs: 200 };

/** A clock that goes on while somebody sleeps only, and the sleeps. */
const { clock, sleep } = vi.hoisted(() => {
  const held = { now: 0 };
  return { clock: held, sleep: vi.fn(async (ms: number) => void (held.now += ms)) };
});
vi.mock('node:timers/promises', () => ({ setTimeout: sleep }));

afterEach(() => {
  vi.restoreAllMocks();
});

/** Reads a body to its end. */
function read(chunks: readonly string[], isLasting: boolean): Promise<string> {
  const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  return new Response(boundedBody(body, limits, isLasting)).text();
}

describe('answers of MCP servers (contract/mcp-servers.md#limits)', () => {
  it('are read up to their limit', async () => {
    expect(await read(['x'.repeat(60), 'x'.repeat(40)], false)).toHaveLength(100);
    await expect(read(['x'.repeat(60), 'x'.repeat(41)], false)).rejects.toThrow('sent more than this server reads');
  });

  it.each([
    ['of one line', ['data: ', 'x'.repeat(50), 'x'.repeat(50)]],
    ['of many lines', Array.from({ length: 20 }, () => `data: ${'x'.repeat(5)}\r\n`)],
  ])('are cut in a stream when an event %s never ends', async (_what, chunks) => {
    await expect(read(chunks, true)).rejects.toThrow('sent more than this server reads');
  });

  const wide = { ...limits, answerBytes: 1_000_000 };
  const members = (count: number): string =>
    Array.from({ length: count }, (_, at) => `"m${String(at)}":[1,2,3]`).join();
  const few = (count: number): string => `${'"":0,'.repeat(count - 1)}"":0`;
  const isRead = (text: string, isLasting: boolean): Promise<boolean> => {
    // Pieces of seven bytes, so that no sign comes with those beside it.
    const body = Readable.from((text.match(/[^]{1,7}/g) ?? []).map((piece) => Buffer.from(piece)));
    return new Response(boundedBody(body, wide, isLasting)).text().then(
      () => true,
      () => false,
    );
  };

  // proves service-2.16-97, wire-24-05
  it.each([
    ['a list of messages', `[${Array(5_000).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`, false],
    ['a short list of messages', `[${Array(50).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`, true],
    ['members beside the result', `{"jsonrpc":"2.0","id":1,"result":{},${members(5_000)}}`, false],
    ['members of the result', `{"jsonrpc":"2.0","id":1,"result":{${members(5_000)}}}`, false],
    ['what is inside of the result', `{"jsonrpc":"2.0","id":1,"result":{"content":[{${members(5_000)}}]}}`, true],
    ['as many members of one object inside of it as there may be', `{"result":{"a":[{"b":{${few(20_000)}}}]}}`, true],
    ['more members of one object inside of it', `{"result":{"a":[{"b":{${few(20_001)}}}]}}`, false],
    ['many objects of many members', `{"result":{"a":[{${few(15_000)}},{${few(15_000)}}]}}`, true],
    ['levels', `{"result":${'['.repeat(499)}${']'.repeat(499)}}`, true],
    ['more levels', `{"result":${'['.repeat(500)}${']'.repeat(500)}}`, false],
    ['commas in texts', JSON.stringify({ result: { text: `,"\\",${','.repeat(9_000)}` } }), true],
  ])('are read by how wide they are: %s', async (_what, message, taken) => {
    expect(await isRead(message, false)).toBe(taken);
    for (const end of ['\n', '\r\n'])
      expect(await isRead(`event: [[[[${end}data: ${message}${end}${end}`, true)).toBe(taken);
    // A message in several lines is one, and each event is another.
    expect(await isRead(`id: }]\ndata: ${message.replaceAll(',"', '\ndata: ,"')}\n\n`, true)).toBe(taken);
    const three = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'.repeat(3);
    expect(await isRead(three + `data: ${message}\n\n`, true)).toBe(taken);
  });

  it('are a stream of any length whose events are short, which is read in its windows', async () => {
    const events = Array.from({ length: 9 }, (_, index) => `data: ${String(index)}\n\n`);
    vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
    expect(await read(events, true)).toBe(events.join(''));
    // Four events are too many for a window, and the ninth one has one of its own.
    expect(sleep.mock.calls.map(([ms]) => ms)).toEqual([limits.windowMs, limits.windowMs]);
  });
});
