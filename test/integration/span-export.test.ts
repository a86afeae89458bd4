import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SpanExport } from '../../src/adapters/telemetry/export-spans.ts';
import { says, saysOfUsers } from '../../src/adapters/telemetry/gen-ai.ts';
import { Spans } from '../../src/adapters/telemetry/spans.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { recordingLogger } from '../support/quiet.ts';

/** Spans that are sent to this address. */
function sentTo(endpoint: string) {
  const log = recordingLogger();
  const sending = new SpanExport({
    endpoint,
    headers: {},
    sourceName: 'Test',
    version: '1.0.0',
    resource: resourceFromAttributes({ 'service.name': 'a "quoted" name' }),
    timeoutMillis: 20_000,
    log,
  });
  const spans = new Spans((span) => {
    sending.add(span);
  });
  return { log, sending, spans };
}

const start = (name: string, attributes = '') => ({ name, kind: 'internal', attributes }) as const;

describe('spans on their way to a receiver (contract/operations.md#traces)', () => {
  it('hold texts of any characters, cut off at their limit, and numbers with fractions', async () => {
    const otlp = await startOtlpReceiver();
    const { spans, sending } = sentTo(otlp.url);
    const span = spans.begin(start('chat "a\\b"', says.requestModel('größer "x"\n\u0007 🌳')));
    const cut = `${'a'.repeat(32 * 1024 - 1)}🌳 and more`;
    spans.end(span, says.timeToFirstChunk(0.25) + says.outputTokens(7) + saysOfUsers.output(cut), 'internal');
    await sending.close();
    const [received] = otlp.spans();
    expect(received).toMatchObject({
      name: 'chat "a\\b"',
      isError: true,
      scope: 'Test',
      resource: { 'service.name': 'a "quoted" name' },
      attributes: {
        'gen_ai.request.model': 'größer "x"\n\u0007 🌳',
        'gen_ai.response.time_to_first_chunk': 0.25,
        'gen_ai.usage.output_tokens': 7,
        // The limit falls into the middle of a character.
        'gen_ai.output.messages': `${'a'.repeat(32 * 1024 - 1)}\uFFFD`,
        'error.type': 'internal',
      },
    });
  });

  it('have ids of their own, the times at which they ran, and the span above them', async () => {
    const otlp = await startOtlpReceiver();
    const { spans, sending } = sentTo(otlp.url);
    const before = Date.now();
    const root = spans.begin(start('root'));
    spans.within(root, () => {
      spans.end(spans.begin(start('below')));
    });
    spans.end(root);
    await sending.close();
    const [below, above] = otlp.spans();
    expect(above?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(above?.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(below).toMatchObject({ name: 'below', traceId: above?.traceId, parentSpanId: above?.spanId });
    expect(below?.spanId).not.toBe(above?.spanId);
    const times = [before - 1, above?.startMs, below?.startMs, below?.endMs, above?.endMs, Date.now() + 1].map(Number);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('are not sent when the trace that they go on in is not recorded', async () => {
    const otlp = await startOtlpReceiver();
    const { spans, sending } = sentTo(otlp.url);
    const root = spans.beginIn(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, start('root'));
    expect(root.traceparent).toBe(`00-${'a'.repeat(32)}-${root.id}-00`);
    spans.within(root, () => {
      spans.end(spans.begin(start('below')));
    });
    spans.end(root);
    await sending.close();
    expect(otlp.requests).toEqual([]);
  });

  it('all come, in several requests, when there are many', async () => {
    const otlp = await startOtlpReceiver();
    const { spans, sending } = sentTo(otlp.url);
    const names = Array.from({ length: 3000 }, (_, index) => `span ${index}`);
    for (const name of names) spans.end(spans.begin(start(name, says.turn(name))));
    await sending.close();
    expect(otlp.requests.length).toBeGreaterThan(1);
    expect(otlp.spans().map(({ name }) => name)).toEqual(names);
  });

  // proves wire-6-46
  it('are dropped while more wait than there is room for, which is said once, and how many when it is over', async () => {
    const held: ServerResponse[] = [];
    let isOpen = false;
    let received = 0;
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        received++;
        if (isOpen) response.end('{}');
        else held.push(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
    const { spans, sending, log } = sentTo(`http://127.0.0.1:${String(port)}`);
    const large = saysOfUsers.input('x'.repeat(32 * 1024));
    for (let count = 0; count < 500; count++) spans.end(spans.begin(start('large', large)));
    await expect.poll(() => held.length).toBe(1);
    expect(log.lines.map(({ message }) => message)).toEqual(['spans are dropped: more come than the receiver takes']);
    isOpen = true;
    held[0]?.end('{}');
    await sending.close();
    // One batch was under way, fifteen batches waited, and one batch was being filled.
    expect(received).toBe(17);
    expect(log.lines.slice(1)).toEqual([
      { level: 'info', fields: { dropped: expect.any(Number) as number }, message: 'spans are no longer dropped' },
    ]);
  });
});
