import { describe, expect, it } from 'vitest';
import type { ClientMessage } from '../../../../../../src/channels/hub/protocol/codec/client-message.ts';
import type { Ending } from '../../../../../../src/channels/hub/protocol/connection/ending.ts';
import {
  HubConnection,
  type HubConnectionOptions,
} from '../../../../../../src/channels/hub/protocol/connection/hub-connection.ts';
import { inMicrotask } from '../../../../../../src/channels/hub/protocol/connection/outbox.ts';
import { defaultHubLimits, defaultHubTimings } from '../../../../../../src/channels/hub/protocol/hub-limits.ts';
import { fakeTransport } from '../../../../../support/hub-fake-transport.ts';
import { recordingLogger } from '../../../../../support/quiet.ts';

const accepted = '{}\u001e';

function connect(
  onOpen: (connection: HubConnection) => void = () => undefined,
  others: Partial<HubConnectionOptions> = {},
) {
  const transport = fakeTransport();
  const clock = { now: 0 };
  const received: ClientMessage[] = [];
  const endings: Ending[] = [];
  const connection = new HubConnection({
    id: 'c1',
    transport,
    limits: { ...defaultHubLimits, maxMessageBytes: 100, maxBufferedBytes: 1000 },
    timings: defaultHubTimings,
    settingNames: { maxMessageBytes: 'maxMessageBytes', maxBufferedBytes: 'server.maxBufferedBytes' },
    log: recordingLogger(),
    schedule: inMicrotask,
    now: () => clock.now,
    onClosed: () => undefined,
    onOpen: (opened) => {
      onOpen(opened);
      return { receive: (message) => received.push(message), ended: (ending) => endings.push(ending) };
    },
    ...others,
  });
  const say = (message: object): void => {
    connection.receive(Buffer.from(`${JSON.stringify(message)}\u001e`));
  };
  const tickAt = (now: number): void => {
    clock.now = now;
    connection.tick();
  };
  return { connection, transport, clock, received, endings, say, tickAt };
}

function opened(onOpen?: (connection: HubConnection) => void): ReturnType<typeof connect> {
  const test = connect(onOpen);
  test.say({ protocol: 'json', version: 1 });
  return test;
}

describe('HubConnection, wide messages (contract/hub.md#side-by-side)', () => {
  // proves wire-24-02
  it('takes a thousand messages of one frame, and ends with more, whatever they are', () => {
    const limits = { ...defaultHubLimits, maxMessageBytes: 100 };
    for (const [message, taken] of [
      ['{"type":1,"target":"A","arguments":[]}', 1_000],
      ['{"type":6}', 0],
    ] as const) {
      const few = connect(undefined, { limits });
      few.say({ protocol: 'json', version: 1 });
      few.connection.receive(Buffer.from(`${message}\u001e`.repeat(1_000)));
      few.connection.receive(Buffer.from(`${message}\u001e`.repeat(1_000)));
      expect([few.received.length, few.connection.open]).toEqual([2 * taken, true]);
      const many = connect(undefined, { limits });
      many.say({ protocol: 'json', version: 1 });
      many.connection.receive(Buffer.from(`${message}\u001e`.repeat(1_001)));
      expect([many.received.length, many.connection.open]).toEqual([taken, false]);
      expect(many.transport.sent.at(-1)).toContain('One frame has more than 1000 messages.');
    }
  });

  // proves wire-24-02
  it('ends with one that is more than honest ones, before it is read', () => {
    const isCrowded = (json: string): boolean => json.includes('"target":"Wide"');
    const crowding = { containers: 9, members: 9, values: 9, isCrowded };
    const { connection, received, say, transport } = connect(undefined, { crowding });
    say({ protocol: 'json', version: 1 });
    say({ type: 1, target: 'A', arguments: [] });
    say({ type: 1, target: 'Wide', arguments: [] });
    expect([received.length, connection.open]).toEqual([1, false]);
    expect(transport.sent.at(-1)).toContain('A message has more values than this server reads.');
  });
});

describe('HubConnection, handshake (contract/hub.md#protocol)', () => {
  it('sends nothing before the handshake, then its answer alone in a frame', async () => {
    const { connection, transport, say } = connect((open) => {
      open.sendEvent('Connected', {});
    });
    connection.sendEvent('TooEarly', {});
    await Promise.resolve();
    expect(transport.sent).toEqual([]);
    say({ protocol: 'json', version: 1 });
    await Promise.resolve();
    expect(transport.sent).toEqual([accepted, '{"type":1,"target":"Connected","arguments":[{}]}\u001e']);
  });

  it('takes messages that come in the frame of the handshake', () => {
    const { connection, received } = connect();
    connection.receive(
      Buffer.from('{"protocol":"json","version":1}\u001e{"type":1,"target":"A","arguments":[]}\u001e{"type":6}\u001e'),
    );
    expect(received.map((message) => message.kind)).toEqual(['invocation']);
  });

  it('says why it refuses a handshake, and ends', () => {
    const { transport, say, received } = connect();
    say({ protocol: 'smoke', version: 1 });
    say({ type: 1, target: 'A', arguments: [] });
    expect(transport.sent).toEqual(['{"error":"The protocol \'smoke\' is not supported."}\u001e']);
    expect(transport.ended).toEqual(['close']);
    expect(received).toEqual([]);
  });

  it('gives up after 15 s without a handshake, and cuts a socket that stays', () => {
    const { transport, tickAt } = connect();
    tickAt(14_999);
    expect(transport.sent).toEqual([]);
    tickAt(15_000);
    expect(transport.sent).toEqual(['{"error":"Handshake was canceled."}\u001e']);
    tickAt(19_999);
    expect(transport.ended).toEqual(['close']);
    tickAt(20_000);
    expect(transport.ended).toEqual(['close', 'terminate']);
  });

  it('ends only itself when the application fails to take it', () => {
    const { transport, connection } = opened(() => {
      throw new Error('no room');
    });
    expect(transport.records()).toEqual([{}, { type: 7, error: 'Connection closed with an error.' }]);
    expect(connection.open).toBe(false);
  });
});

describe('HubConnection, keep-alive (contract/hub.md#protocol)', () => {
  it('pings when it sent nothing for 15 s, and not before', async () => {
    const { connection, transport, tickAt, clock } = opened();
    tickAt(14_999);
    clock.now = 10_000;
    connection.sendEvent('Event', {});
    await Promise.resolve();
    tickAt(24_999);
    await Promise.resolve();
    expect(transport.sent).toHaveLength(2);
    tickAt(25_000);
    await Promise.resolve();
    expect(transport.sent.at(-1)).toBe('{"type":6}\u001e');
  });

  it('never times out a client that does not ping', () => {
    const { tickAt, connection } = opened();
    tickAt(1_000_000);
    expect(connection.open).toBe(true);
  });

  it('lets a client that pinged and fell silent for 30 s come back', () => {
    const { say, tickAt, transport, endings } = opened();
    say({ type: 6 });
    tickAt(29_999);
    expect(endings).toEqual([]);
    tickAt(30_000);
    expect(transport.records().at(-1)).toEqual({
      type: 7,
      error: 'The client has not sent a message or ping for 30 s.',
      allowReconnect: true,
    });
    expect(endings).toEqual(['dropped']);
  });
});

describe('HubConnection, bounds (contract/events.md and contract/hub.md#protocol)', () => {
  it('names limit and option when a message is too large', () => {
    const { say, transport, endings } = opened();
    say({ type: 1, target: 'A'.repeat(100), arguments: [] });
    expect(transport.records().at(-1)).toEqual({
      type: 7,
      error: 'Connection closed with an error. A message is larger than the limit of 100 bytes (maxMessageBytes).',
    });
    expect(endings).toEqual(['dropped']);
  });

  it('says so when the transport refused it before reading', () => {
    const { connection, transport } = opened();
    connection.refuseTooLarge();
    expect(transport.records().at(-1)).toMatchObject({
      type: 7,
      error: expect.stringContaining('100 bytes') as string,
    });
  });

  // proves wire-2-36
  it('closes a slow client with allowReconnect, stops sending, and cuts it 5 s later', async () => {
    const { connection, transport, endings, tickAt } = opened();
    transport.bufferedBytes = 1001;
    connection.sendEvent('Event', {});
    await Promise.resolve();
    expect(transport.records().at(-1)).toEqual({
      type: 7,
      error: 'The client reads too slowly: more than 1000 bytes (server.maxBufferedBytes) are waiting.',
      allowReconnect: true,
    });
    expect(endings).toEqual(['dropped']);
    connection.sendEvent('Event', {});
    await Promise.resolve();
    expect(transport.sent).toHaveLength(2);
    tickAt(4999);
    expect(transport.ended).toEqual(['close']);
    tickAt(5000);
    expect(transport.ended).toEqual(['close', 'terminate']);
  });

  it('closes only itself over a message it cannot serialise', () => {
    const { connection, transport } = opened();
    connection.sendEvent('Event', { count: 1n });
    expect(transport.records().at(-1)).toEqual({
      type: 7,
      error: 'Connection closed with an error. A message could not be serialised.',
    });
  });

  it('closes only itself over an event that its codec cannot write', () => {
    const { connection, transport, endings, say } = connect();
    transport.useBinary = () => undefined;
    say({ protocol: 'messagepack', version: 1 });
    connection.sendEventJson('Event', '['.repeat(100_000) + ']'.repeat(100_000));
    expect(transport.sent.at(-1)).toContain('A message could not be serialised.');
    expect(endings).toEqual(['dropped']);
  });

  it('closes over a message that breaks the protocol, after what came before it', () => {
    const { connection, received, transport } = opened();
    connection.receive(Buffer.from('{"type":1,"target":"A","arguments":[]}\u001enonsense\u001e{"type":6}\u001e'));
    expect(received).toHaveLength(1);
    expect(transport.records().at(-1)).toEqual({
      type: 7,
      error: 'Connection closed with an error. A message is not valid JSON.',
    });
  });
});

describe('HubConnection, results of the client (contract/hub.md#protocol)', () => {
  const inTime = { timeoutMs: 60_000 };

  it('asks under ids of its own, and gets the answers in any order', async () => {
    const { connection, transport, say, received } = opened();
    const answers = [connection.invokeClient('Ask', { at: 1 }, inTime), connection.invokeClient('Ask', {}, inTime)];
    await Promise.resolve();
    expect(transport.records().slice(1)).toEqual([
      { type: 1, invocationId: 's1', target: 'Ask', arguments: [{ at: 1 }] },
      { type: 1, invocationId: 's2', target: 'Ask', arguments: [{}] },
    ]);
    say({ type: 3, invocationId: 's2', result: 'second' });
    say({ type: 3, invocationId: 's1' });
    say({ type: 3, invocationId: 's1', result: 'again' });
    say({ type: 3, invocationId: 's9', result: 'never asked' });
    expect(await Promise.all(answers)).toEqual([null, 'second']);
    expect([received, connection.open]).toEqual([[], true]);
  });

  // proves wire-3-45
  it('says why there is no answer', async () => {
    const { connection, say } = opened();
    const failed = connection.invokeClient('Ask', {}, inTime);
    say({ type: 3, invocationId: 's1', error: 'no' });
    await expect(failed).rejects.toMatchObject({ fault: 'failed', message: 'no' });
    await expect(connection.invokeClient('Ask', {}, { timeoutMs: 1 })).rejects.toMatchObject({ fault: 'timed-out' });
    const stopped = new AbortController();
    const given = { ...inTime, signal: stopped.signal };
    const waiting = connection.invokeClient('Ask', {}, given);
    stopped.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(connection.invokeClient('Ask', {}, given)).rejects.toThrow('stopped');
    const dropped = connection.invokeClient('Ask', {}, inTime);
    connection.transportClosed('dropped');
    await expect(dropped).rejects.toMatchObject({ fault: 'disconnected' });
    await expect(connection.invokeClient('Ask', {}, inTime)).rejects.toMatchObject({ fault: 'disconnected' });
  });

  it('lets only so many calls wait for one client, and ends them all with it', async () => {
    const { connection } = opened();
    const { maxClientInvocations } = defaultHubLimits;
    const waiting = Array.from({ length: maxClientInvocations }, () => connection.invokeClient('Ask', {}, inTime));
    await expect(connection.invokeClient('Ask', {}, inTime)).rejects.toMatchObject({ fault: 'overloaded' });
    connection.close({ error: 'enough' });
    const outcomes = await Promise.allSettled(waiting);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  it('rejects what cannot be serialised, which ends the connection', async () => {
    const { connection } = opened();
    await expect(connection.invokeClient('Ask', { count: 1n }, inTime)).rejects.toMatchObject({
      fault: 'disconnected',
    });
    expect(connection.open).toBe(false);
  });
});

describe('HubConnection, endings (contract/hub.md#protocol)', () => {
  it('takes a Close message for a graceful end', () => {
    const { say, endings, transport } = opened();
    say({ type: 7 });
    expect(endings).toEqual(['graceful']);
    expect(transport.ended).toEqual(['close']);
  });

  it.each(['graceful', 'dropped'] as const)('passes on a transport that ended %s, once', (ending) => {
    const { connection, endings } = opened();
    connection.transportEnding(ending);
    connection.transportClosed('dropped');
    expect(endings).toEqual([ending]);
  });

  // proves wire-3-33
  it('counts its own Close with allowReconnect as a drop, whatever the client answers', () => {
    const { connection, endings, transport } = opened();
    connection.close({ allowReconnect: true });
    connection.transportClosed('graceful');
    expect(transport.records().at(-1)).toEqual({ type: 7, allowReconnect: true });
    expect(endings).toEqual(['dropped']);
  });

  it('sends what was queued before its Close, and nothing after', async () => {
    const { connection, transport } = opened();
    connection.sendEvent('First', {});
    connection.close({ allowReconnect: true });
    connection.sendEvent('Late', {});
    connection.close({ error: 'again' });
    await Promise.resolve();
    expect(transport.records().slice(1)).toEqual([
      { type: 1, target: 'First', arguments: [{}] },
      { type: 7, allowReconnect: true },
    ]);
  });
});

describe('HubConnection, messages that are on their way', () => {
  const kib = 1024;

  function arriving(room: number) {
    const taken = { bytes: 0 };
    const test = connect(() => undefined, {
      limits: { ...defaultHubLimits, maxMessageBytes: 4096 * kib },
      takeArrivalRoom: (bytes) => {
        if (bytes > room) return undefined;
        taken.bytes += bytes;
        return { release: () => (taken.bytes -= bytes) };
      },
    });
    test.say({ protocol: 'json', version: 1 });
    const closes = (): string | undefined => test.transport.sent.find((record) => record.includes('"type":7'));
    return { ...test, taken, closes };
  }

  it('hold room from 64 KiB on, until they are whole', () => {
    const { connection, taken, received } = arriving(4096 * kib);
    connection.arriving(64 * kib);
    expect(taken.bytes).toBe(0);
    connection.arriving(1000 * kib);
    expect(taken.bytes).toBe(1536 * kib);
    const message = JSON.stringify({ type: 1, target: 'Echo', arguments: ['x'.repeat(100 * kib)] });
    connection.receive(Buffer.from(message));
    expect(taken.bytes).toBe(512 * kib);
    connection.receive(Buffer.from('\u001e'));
    expect(taken.bytes).toBe(0);
    expect(received).toHaveLength(1);
  });

  it('are refused without room: the client may come back', () => {
    const { connection, taken, closes, endings } = arriving(512 * kib);
    connection.arriving(512 * kib);
    expect(closes()).toBeUndefined();
    connection.arriving(1);
    expect(closes()).toContain('"error":"Too much is being uploaded. Try again later.","allowReconnect":true');
    expect(endings).toEqual(['dropped']);
    expect(taken.bytes).toBe(0);
  });

  it('keep their connection alive as long as they come, and have to be whole after two minutes', () => {
    const { connection, taken, say, tickAt, closes } = arriving(4096 * kib);
    say({ type: 6 });
    for (let now = 10_000; now < 130_000; now += 10_000) {
      tickAt(now);
      connection.arriving(70 * kib);
    }
    expect(closes()).toBeUndefined();
    tickAt(130_000);
    expect(closes()).toContain('"error":"A message was not whole after 120 s.","allowReconnect":true');
    expect(taken.bytes).toBe(0);
  });
});
