import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { boundedBody } from '../../../../src/adapters/mcp-client/bounded-body.ts';

const limits = { answerBytes: 100, streamBytes: 1_000, streamEvents: 3, windowMs: 200 };

/** Reads a body to its end, with the time that it took. */
async function read(
  chunks: readonly string[],
  isLasting: boolean,
): Promise<{ readonly text: string; readonly ms: number }> {
  const began = performance.now();
  const text = await new Response(
    boundedBody(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), limits, isLasting),
  ).text();
  return { text, ms: performance.now() - began };
}

describe('answers of MCP servers (contract/mcp-servers.md#limits)', () => {
  it('are read up to their limit', async () => {
    expect((await read(['x'.repeat(60), 'x'.repeat(40)], false)).text).toHaveLength(100);
    await expect(read(['x'.repeat(60), 'x'.repeat(41)], false)).rejects.toThrow('sent more than this server reads');
  });

  it.each([
    ['of one line', ['data: ', 'x'.repeat(50), 'x'.repeat(50)]],
    ['of many lines', Array.from({ length: 20 }, () => `data: ${'x'.repeat(5)}\r\n`)],
  ])('are cut in a stream when an event %s never ends', async (_what, chunks) => {
    await expect(read(chunks, true)).rejects.toThrow('sent more than this server reads');
  });

  it('are a stream of any length whose events are short, which is read in its windows', async () => {
    const events = Array.from({ length: 9 }, (_, index) => `data: ${String(index)}\n\n`);
    const { text, ms } = await read(events, true);
    expect(text).toBe(events.join(''));
    // It was read for more than one window, in which there was nothing else to wait for.
    expect(ms).toBeGreaterThan(300);
  });
});
