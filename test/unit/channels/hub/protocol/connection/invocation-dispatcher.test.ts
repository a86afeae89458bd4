import { describe, expect, it } from 'vitest';
import { HubConnection } from '../../../../../../src/channels/hub/protocol/connection/hub-connection.ts';
import {
  InvocationDispatcher,
  methodLookup,
} from '../../../../../../src/channels/hub/protocol/connection/invocation-dispatcher.ts';
import { inMicrotask } from '../../../../../../src/channels/hub/protocol/connection/outbox.ts';
import type { HubCall, HubMethod } from '../../../../../../src/channels/hub/protocol/hub-application.ts';
import { HubArgumentError, HubError } from '../../../../../../src/channels/hub/protocol/hub-errors.ts';
import { defaultHubLimits, defaultHubTimings } from '../../../../../../src/channels/hub/protocol/hub-limits.ts';
import { fakeTransport } from '../../../../../support/hub-fake-transport.ts';
import { recordingLogger } from '../../../../../support/quiet.ts';

type Methods = Readonly<Record<string, HubMethod<undefined>>>;

function method(invoke: (call: HubCall) => unknown, concurrent = false): HubMethod<undefined> {
  return { kind: 'invocation', parameters: 2, concurrent, invoke: (_state, call) => invoke(call) };
}

function stream(open: (call: HubCall, item: (json: string) => void) => Promise<void>): HubMethod<undefined> {
  return {
    kind: 'stream',
    parameters: 1,
    open: (_state, call, items) =>
      open(call, (json) => {
        items.sendJson(json);
      }),
  };
}

function serve(methods: Methods, limits = defaultHubLimits) {
  const transport = fakeTransport();
  const log = recordingLogger();
  const connection = new HubConnection({
    id: 'c1',
    transport,
    limits,
    timings: defaultHubTimings,
    settingNames: { maxMessageBytes: 'a', maxBufferedBytes: 'b' },
    log,
    schedule: inMicrotask,
    now: () => 0,
    onClosed: () => undefined,
    onOpen: (open) => {
      const lookup = methodLookup(methods);
      const dispatcher = new InvocationDispatcher({ connection: open, state: undefined, methods: lookup, limits, log });
      return {
        receive: (message) => {
          dispatcher.receive(message);
        },
        ended: () => {
          dispatcher.abandon();
        },
      };
    },
  });
  const say = (message: object): void => {
    connection.receive(Buffer.from(`${JSON.stringify(message)}\u001e`));
  };
  say({ protocol: 'json', version: 1 });
  const call = (target: string, id?: string, more: { type?: number; arguments?: readonly unknown[] } = {}): void => {
    say({ type: 1, target, arguments: [], ...(id !== undefined && { invocationId: id }), ...more });
  };
  /** The records that were sent after the handshake. Waits until nothing more can run. */
  const answers = async (): Promise<readonly Record<string, unknown>[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    return transport.records().slice(1);
  };
  return { say, call, answers, connection, log };
}

describe('InvocationDispatcher, results and errors (contract/hub.md#protocol)', () => {
  it('answers with the result, null for nothing, and finds methods in any case', async () => {
    const { call, answers } = serve({
      Echo: method(({ arguments: given }) => given[0]),
      Void: method(() => undefined),
    });
    call('eCHO', '1', { arguments: ['hi'] });
    call('Void', '2');
    expect(await answers()).toEqual([
      { type: 3, invocationId: '1', result: 'hi' },
      { type: 3, invocationId: '2', result: null },
    ]);
  });

  it.each([
    ['Missing', 1, [], "Unknown hub method 'Missing'"],
    ['Missing', 4, [], "Unknown hub method 'Missing'"],
    ['constructor', 1, [], "Unknown hub method 'constructor'"],
    ['Plain', 4, [], "The client attempted to invoke the non-streaming 'Plain' method with a streaming invocation."],
    ['Stream', 1, [], "The client attempted to invoke the streaming 'Stream' method with a non-streaming invocation."],
    ['Plain', 1, [1, 2, 3], "Failed to invoke 'Plain' due to an error on the server."],
    ['Picky', 1, [], "Failed to invoke 'Picky' due to an error on the server."],
    ['Broken', 1, [], "An unexpected error occurred invoking 'Broken' on the server."],
    ['Refuses', 1, [], "An unexpected error occurred invoking 'Refuses' on the server. HubException: Not now."],
    ['Breaks', 4, [], 'An error occurred on the server while streaming results.'],
    ['PickyStream', 4, [], "Failed to invoke 'PickyStream' due to an error on the server."],
  ])('answers %s of type %i with %j in the words clients know', async (target, type, ...[given, error]) => {
    const { call, answers } = serve({
      Plain: method(() => 1),
      Stream: stream(() => Promise.resolve()),
      Picky: method(() => {
        throw new HubArgumentError('secret detail');
      }),
      Broken: method(() => Promise.reject(new Error('secret detail'))),
      Refuses: method(() => {
        throw new HubError('Not now.');
      }),
      Breaks: stream(() => Promise.reject(new Error('secret detail'))),
      PickyStream: stream(() => {
        throw new HubArgumentError('secret detail');
      }),
    });
    call(target, '1', { type, arguments: given });
    expect(await answers()).toEqual([{ type: 3, invocationId: '1', error }]);
  });

  it('never answers a call without an id, not even with an error', async () => {
    const { call, answers } = serve({ Plain: method(() => 1) });
    call('Plain');
    call('Missing');
    expect(await answers()).toEqual([]);
  });

  it('refuses an id that is in use, and takes it again afterwards', async () => {
    const gate = Promise.withResolvers<number>();
    const { call, answers } = serve({ Wait: method(() => gate.promise, true) });
    call('Wait', '1');
    call('Wait', '1');
    expect(await answers()).toEqual([{ type: 3, invocationId: '1', error: "Invocation ID '1' is already in use." }]);
    gate.resolve(5);
    await answers();
    call('Wait', '1');
    expect((await answers()).slice(1)).toEqual([
      { type: 3, invocationId: '1', result: 5 },
      { type: 3, invocationId: '1', result: 5 },
    ]);
  });

  it('refuses uploads it cannot take', async () => {
    const { say, answers } = serve({ Plain: method(() => 1) });
    say({ type: 1, target: 'Plain', arguments: [], invocationId: '1', streamIds: ['2'] });
    expect(await answers()).toMatchObject([{ error: "Failed to invoke 'Plain' due to an error on the server." }]);
  });

  it('sends what a method leaves for after its result after it', async () => {
    const { call, answers } = serve({
      Resume: method((running) => {
        running.afterResult(() => {
          running.connection.sendEvent('Later', {});
        });
        return 'first';
      }),
    });
    call('Resume', '1');
    expect(await answers()).toEqual([
      { type: 3, invocationId: '1', result: 'first' },
      { type: 1, target: 'Later', arguments: [{}] },
    ]);
  });
});

describe('InvocationDispatcher, order and bounds (contract/hub.md#protocol)', () => {
  it('runs one method at a time in order, and concurrent ones beside it', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { call, answers } = serve({
      Slow: method(() => gate.promise.then(() => 'slow')),
      Next: method(() => 'next'),
      Beside: method(() => 'beside', true),
    });
    call('Slow', '1');
    call('Next', '2');
    call('Beside', '3');
    expect(await answers()).toEqual([{ type: 3, invocationId: '3', result: 'beside' }]);
    gate.resolve(undefined);
    expect((await answers()).map(({ result }) => result)).toEqual(['beside', 'slow', 'next']);
  });

  it('bounds what waits, what runs beside and what streams', async () => {
    const never = new Promise<never>(() => undefined);
    const limits = { ...defaultHubLimits, maxWaitingInvocations: 1, maxConcurrentInvocations: 1, maxStreams: 1 };
    const { call, answers } = serve(
      { Slow: method(() => never), Beside: method(() => never, true), Stream: stream(() => never) },
      limits,
    );
    for (const id of ['1', '2', '3']) call('Slow', id);
    for (const id of ['4', '5']) call('Beside', id);
    for (const id of ['6', '7']) call('Stream', id, { type: 4 });
    const refused = await answers();
    expect(refused.map(({ invocationId }) => invocationId)).toEqual(['3', '5', '7']);
    expect(refused[0]).toMatchObject({ error: expect.stringContaining('Too many calls') as string });
  });

  it('does not start what waits when the connection is gone', async () => {
    const gate = Promise.withResolvers<undefined>();
    const ran: string[] = [];
    const { call, connection, answers } = serve({
      Slow: method(() => gate.promise),
      Next: method(() => ran.push('next')),
    });
    call('Slow', '1');
    call('Next', '2');
    connection.transportClosed('dropped');
    gate.resolve(undefined);
    expect(await answers()).toEqual([]);
    expect(ran).toEqual([]);
  });
});

describe('InvocationDispatcher, streams and cancelling (contract/hub.md#protocol)', () => {
  it('sends items, then a completion without a result', async () => {
    const { call, answers } = serve({
      Count: stream(async (_call, item) => {
        item('1');
        await Promise.resolve();
        item('{"two":2}');
      }),
    });
    call('Count', '9', { type: 4 });
    expect(await answers()).toEqual([
      { type: 2, invocationId: '9', item: 1 },
      { type: 2, invocationId: '9', item: { two: 2 } },
      { type: 3, invocationId: '9' },
    ]);
  });

  it('tells a stream of its cancellation, also when it comes in the same frame, and completes it', async () => {
    const { connection, answers } = serve({
      Endless: stream(({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))),
    });
    connection.receive(
      Buffer.from(
        '{"type":4,"target":"Endless","arguments":[],"invocationId":"1"}\u001e{"type":5,"invocationId":"1"}\u001e',
      ),
    );
    expect(await answers()).toEqual([{ type: 3, invocationId: '1' }]);
  });

  it('cancels a plain invocation too, still answers it, and ignores unknown ids', async () => {
    const { call, say, answers } = serve({
      Wait: method(
        ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('cancelled'))),
      ),
    });
    call('Wait', '1');
    say({ type: 5, invocationId: 'unknown' });
    say({ type: 5, invocationId: '1' });
    expect(await answers()).toEqual([{ type: 3, invocationId: '1', result: 'cancelled' }]);
  });

  it('does not abort a call because the connection is lost', () => {
    const signals: AbortSignal[] = [];
    const { call, connection } = serve({
      Wait: method((running) => {
        signals.push(running.signal);
        return new Promise<never>(() => undefined);
      }),
    });
    call('Wait', '1');
    connection.transportClosed('dropped');
    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
  });
});
