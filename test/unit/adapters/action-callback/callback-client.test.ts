import { describe, expect, it } from 'vitest';
import { CallbackClient } from '../../../../src/adapters/action-callback/callback-client.ts';
import { readResult } from '../../../../src/adapters/action-callback/read-result.ts';
import {
  ExchangeFault,
  type ExchangeReply,
  type ExchangeRequest,
} from '../../../../src/adapters/action-callback/callback-connection.ts';
import { ToolInterrupted, ToolUnanswered, ToolUnavailable } from '../../../../src/core/tools/tool-faults.ts';
import { TurnStopped } from '../../../../src/core/turn/live/turn-stopped.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';

type Exchange = ExchangeReply | ExchangeFault;

const answered = (text: string): ExchangeReply => ({ status: 200, etag: undefined, text });
const ok = answered('{"result":1}');
const status = (code: number): ExchangeReply => ({ status: code, etag: undefined, text: '' });
const refused = new ExchangeFault('not-connected', 'ECONNREFUSED');
const broken = new ExchangeFault('broken', 'ECONNRESET');
const huge = new ExchangeFault('too-large', 'the answer is larger than 1 MiB');

function open(...exchanges: readonly Exchange[]) {
  const left = [...exchanges];
  const sent: ExchangeRequest[] = [];
  const metrics = recordingMetrics();
  const clock = { now: 0 };
  const client = new CallbackClient({
    name: 'erp',
    connection: {
      send: (request) => {
        sent.push(request);
        request.signal.throwIfAborted();
        const next = left.shift() ?? ok;
        return next instanceof ExchangeFault ? Promise.reject(next) : Promise.resolve(next);
      },
    },
    log: recordingLogger(),
    metrics,
    now: () => clock.now,
  });
  const ask = async (readOnly: boolean, signal = new AbortController().signal): Promise<unknown> =>
    client.ask({ type: 'action', id: 'call-1', trace: 't', body: { a: 1 }, readOnly, signal, read: readResult });
  const outcomes = (): unknown[] => metrics.counted.map(({ value }) => (value as { readonly outcome: string }).outcome); // callbackAsked alone
  return { client, ask, sent, clock, outcomes };
}

describe('retries of a callback (contract/plugins.md#callbacks)', () => {
  it.each<[string, boolean, readonly Exchange[]]>([
    // proves extending-2-03
    ['a read after broken connections', true, [broken, broken, ok]],
    // proves extending-2-04
    ['a read after 502, 503 and 504', true, [status(502), status(504), ok]],
    ['a read after a refused connection', true, [refused, status(503), ok]],
    // proves extending-2-04
    ['a write whose connection was never established', false, [refused, refused, ok]],
  ])('repeat %s, under the same id', async (_title, readOnly, exchanges) => {
    const { ask, sent, outcomes } = open(...exchanges);
    expect(await ask(readOnly)).toEqual({ result: 1 });
    expect(sent.map(({ id }) => id)).toEqual(['call-1', 'call-1', 'call-1']);
    expect(outcomes()).toEqual(['answered']);
  });

  it.each<[string, boolean, readonly Exchange[], number, RegExp]>([
    ['a read that meets 503 three times', true, [status(503), status(503), status(503)], 3, /^erp answered .* 503$/],
    // proves extending-2-04
    ['a read that meets 500', true, [status(500)], 1, /status 500/],
    ['a read whose answer is too large', true, [huge], 1, /larger than 1 MiB/],
    ['a write that meets 503', false, [status(503)], 1, /status 503/],
    ['a write that meets 409', false, [status(409)], 1, /status 409/],
  ])('end with an exception of the tool: %s', async (_title, readOnly, exchanges, attempts, message) => {
    const { ask, sent } = open(...exchanges);
    const error: unknown = await ask(readOnly).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error instanceof ToolUnanswered).toBe(exchanges[0] !== huge);
    expect(error).not.toBeInstanceOf(ToolUnavailable);
    expect(error).not.toBeInstanceOf(ToolInterrupted);
    expect(String(error instanceof Error ? error.message : error)).toMatch(message);
    expect(sent).toHaveLength(attempts);
  });

  // proves extending-2-05
  it('never repeat a write that may have arrived: its outcome is unknown (contract/confirmations.md#the-journal)', async () => {
    for (const exchange of [broken, huge, answered('<html>'), answered('{}'), status(502), status(504)]) {
      const { ask, sent } = open(exchange);
      await expect(ask(false)).rejects.toBeInstanceOf(ToolInterrupted);
      expect(sent).toHaveLength(1);
    }
  });

  it('end after two of them: the system is unavailable (contract/plugins.md#callbacks)', async () => {
    for (const readOnly of [true, false]) {
      const { ask, sent } = open(refused, refused, refused, ok);
      await expect(ask(readOnly)).rejects.toBeInstanceOf(ToolUnavailable);
      expect(sent).toHaveLength(3);
    }
  });
});

describe('answers of a callback (contract/plugins.md#callbacks)', () => {
  it('{"error": {"message"}} is an exception of the tool with these words', async () => {
    const { ask, outcomes } = open(answered('{"error":{"message":"Order 7 was shipped."}}'));
    await expect(ask(false)).rejects.toThrow(/^Order 7 was shipped\.$/);
    expect(outcomes()).toEqual(['answered']);
  });

  it.each([
    ['no JSON', 'OK', /is not JSON/],
    ['neither result nor error', '{"value":1}', /result is required/],
    ['a card that is none', '{"result":1,"card":"x"}', /card must be object/],
    ['a navigation without a page', '{"result":1,"navigate":{}}', /navigate\.page is required/],
    ['an error without words', '{"error":{}}', /error\.message is required/],
  ])('%s cannot be used', async (_title, text, message) => {
    await expect(open(answered(text)).ask(true)).rejects.toThrow(message);
  });
});

describe('a callback that fails again and again (contract/plugins.md#callbacks)', () => {
  // proves extending-2-06, wire-10-13
  it('is paused for 10 s after 5 failures in a row, and paused again by the next one', async () => {
    const { ask, sent, clock, client, outcomes } = open(...Array<Exchange>(6).fill(status(500)));
    for (let call = 0; call < 5; call += 1) await expect(ask(false)).rejects.toThrow('status 500');
    expect(client.isPaused).toBe(true);
    clock.now = 9_999;
    await expect(ask(false)).rejects.toBeInstanceOf(ToolUnavailable);
    expect(sent).toHaveLength(5);
    clock.now = 10_000;
    await expect(ask(false)).rejects.toThrow('status 500');
    await expect(ask(false)).rejects.toBeInstanceOf(ToolUnavailable);
    clock.now = 20_000;
    expect(await ask(false)).toEqual({ result: 1 });
    expect(client.isPaused).toBe(false);
    expect(outcomes()).toEqual([...Array<string>(5).fill('failed'), 'paused', 'failed', 'paused', 'answered']);
  });

  it('counts anew after an answer, whatever it says', async () => {
    const four = Array<Exchange>(4).fill(status(500));
    const { ask, client } = open(...four, status(404), ...four);
    for (let call = 0; call < 9; call += 1) await expect(ask(false)).rejects.toThrow('status');
    expect(client.isPaused).toBe(false);
  });

  it('is not blamed for the Stop of a user, but for being late', async () => {
    const stopped = AbortSignal.abort(new TurnStopped('user'));
    const late = AbortSignal.abort(new Error('too late'));
    const { ask, client } = open();
    for (let call = 0; call < 5; call += 1) await expect(ask(false, stopped)).rejects.toThrow('stopped');
    expect(client.isPaused).toBe(false);
    for (let call = 0; call < 5; call += 1) await expect(ask(false, late)).rejects.toThrow('too late');
    expect(client.isPaused).toBe(true);
  });
});
