import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import type { Carrier } from '../../../src/adapters/bus/carrier.ts';
import { CarriedBus as Bus } from '../../../src/adapters/bus/carried-bus.ts';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { MessageSeal } from '../../../src/adapters/bus/messages/message-seal.ts';
import { FollowedStream } from '../../../src/adapters/bus/streams/followed-stream.ts';
import { OfferedStream } from '../../../src/adapters/bus/streams/offered-stream.ts';
import { HelperError } from '../../../src/core/errors/helper-error.ts';
import { hasRedis, redisOfFile, RedisServer } from '../../support/databases/redis.ts';
import { at, busKeys, busOptions, joinedBuses, quickTimes, redisBuses } from '../../support/bus/opened-buses.ts';
import { patienceMs } from '../../support/patience.ts';

const redis = redisOfFile();
const times = { ...quickTimes, answerMs: patienceMs, heartbeatMs: 20 };

/** The clock of all buses of a test stands still until the test lets time pass, so that nobody is silent for too long by chance. */
let passed = 0;
const clock = { now: () => Date.now(), elapsed: () => passed };

const carriers: readonly (readonly [string, (count: number) => Promise<CarriedBus[]>])[] = [
  ['in one process', (count) => joinedBuses(new InProcessExchange(), count, { times, clock })],
  ...(hasRedis
    ? [['over Redis', async (count: number) => redisBuses(await redis(), count, { times, clock })] as const]
    : []),
];

type Source = Parameters<CarriedBus['offer']>[1];

/** A replica that reads, and a stream `numbers` of another one. */
async function offered(open: (count: number) => Promise<CarriedBus[]>, source: Source) {
  const buses = await open(2);
  const [reader, sender] = [at(buses, 0), at(buses, 1)];
  sender.offer('numbers', source);
  const follow = (body: unknown, signal?: AbortSignal): Promise<AsyncIterable<unknown>> =>
    reader.follow({ replica: sender.replica, kind: 'numbers', body }, signal);
  return { reader, sender, follow };
}

/** A source that gives numbers, notes how many, and whether it has ended. */
function counting() {
  const state = { given: 0, isEnded: false };
  const source: Source = async function* (body, { signal }) {
    try {
      for (let number = 1; number <= Number(body) && !signal.aborted; number += 1) {
        state.given = number;
        yield number;
      }
    } finally {
      state.isEnded = true;
    }
  };
  return { state, source };
}

/** A source that gives one value and then waits until its signal aborts. */
function waiting() {
  const state = { isEnded: false };
  const source: Source = async function* (_body, { signal }) {
    try {
      yield 'first';
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
    } finally {
      state.isEnded = true;
    }
  };
  return { state, source };
}

/** Lets more time pass than a silence may last, in steps after each of which both sides have heard of each other. */
async function passASilence(): Promise<void> {
  const beats = vi.spyOn(FollowedStream.prototype, 'take');
  const grants = vi.spyOn(OfferedStream.prototype, 'grant');
  onTestFinished(() => void vi.restoreAllMocks());
  for (let left = 2 * times.silenceMs; left > 0; left -= times.silenceMs / 2) {
    passed += times.silenceMs / 2;
    beats.mockClear();
    grants.mockClear();
    await vi.waitUntil(() => beats.mock.calls.length > 0 && grants.mock.calls.length > 0, { interval: 5 });
  }
}

/** Lets time pass until a reading is over. */
async function afterSilence<Value>(reading: Promise<Value>): Promise<Value> {
  let isOver = false;
  void reading.then(() => (isOver = true));
  await vi.waitUntil(() => {
    passed += 2 * times.silenceMs;
    return isOver;
  });
  return reading;
}

/** Reads to the end. Gives what was read and the fault at the end. */
async function readAll(stream: AsyncIterable<unknown>): Promise<{ read: unknown[]; fault: unknown }> {
  const read: unknown[] = [];
  try {
    for await (const each of stream) read.push(each);
    return { read, fault: undefined };
  } catch (fault) {
    return { read, fault };
  }
}

describe.each(carriers)('following a stream of another replica, %s', (_name, open) => {
  it('gives 1,000 messages in their order, and ends with the source', async () => {
    const { follow } = await offered(open, counting().source);
    const { read, fault } = await readAll(await follow(1_000));
    expect(fault).toBeUndefined();
    expect(read).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  });

  it('gives an empty stream, and large messages among small ones in their order', async () => {
    const sizes = [1, 200_000, 2, 900_000, 3];
    const { follow } = await offered(open, async function* (body) {
      if (body === 'large') for (const size of sizes) yield 'x'.repeat(size);
    });
    expect(await readAll(await follow('nothing'))).toEqual({ read: [], fault: undefined });
    const { read } = await readAll(await follow('large'));
    expect(read.map((text) => String(text).length)).toEqual(sizes);
  });

  it('makes the source wait while 64 messages are unread, for longer than a silence may last', async () => {
    const { state, source } = counting();
    const { follow } = await offered(open, source);
    const stream = (await follow(200))[Symbol.asyncIterator]();
    await expect.poll(() => state.given).toBe(65);
    await passASilence();
    expect(state.given).toBe(65);
    const read: unknown[] = [];
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) read.push(next.value);
    expect(read).toHaveLength(200);
  });

  it('tells the source when its reader leaves', async () => {
    const { state, source } = waiting();
    const { follow } = await offered(open, source);
    for await (const first of await follow(0)) {
      expect(first).toBe('first');
      break;
    }
    await expect.poll(() => state.isEnded).toBe(true);
  });

  it('tells the source when the signal of its reader aborts, and the reader has the reason', async () => {
    const { state, source } = waiting();
    const { follow } = await offered(open, source);
    const stop = new AbortController();
    const reading = readAll(await follow(0, stop.signal));
    stop.abort(new Error('enough'));
    expect(await reading).toMatchObject({ fault: { message: 'enough' } });
    await expect.poll(() => state.isEnded).toBe(true);
  });

  it('ends with the code of what the source throws, after what it gave before', async () => {
    const { follow } = await offered(open, async function* (body) {
      yield 1;
      throw body === 'known' ? new HelperError('not_owner', 'Secret words.') : new Error('Secret words.');
    });
    expect(await readAll(await follow('known'))).toMatchObject({
      read: [1],
      fault: { name: 'AnswerFailed', code: 'not_owner' },
    });
    const { fault } = await readAll(await follow('unknown'));
    expect(fault).toMatchObject({ code: 'internal' });
    expect(String(fault)).not.toContain('Secret');
  });

  it('ends with a fault when a message has more than 1 MiB', async () => {
    const { follow } = await offered(open, async function* () {
      yield 'x'.repeat(1024 * 1024);
    });
    expect(await readAll(await follow(0))).toMatchObject({ read: [], fault: { code: 'payload_too_large' } });
  });

  it('opens none of a kind that is not offered, and none of a replica that is gone', async () => {
    const { reader, sender } = await offered(open, counting().source);
    await expect(reader.follow({ replica: sender.replica, kind: 'letters', body: 0 })).rejects.toMatchObject({
      code: 'unknown_kind',
    });
    await expect(reader.follow({ replica: 'aaaaaaaa', kind: 'numbers', body: 0 })).rejects.toMatchObject({
      name: 'ReplicaGone',
    });
  });

  it('ends with a fault when the other replica closes', async () => {
    const { follow, sender } = await offered(open, waiting().source);
    const reading = readAll(await follow(0));
    await sender.close();
    expect(await afterSilence(reading)).toMatchObject({ read: ['first'], fault: { name: 'ReplicaGone' } });
  });

  it('ends the source when the replica that reads closes', async () => {
    const { state, source } = waiting();
    const { follow, reader } = await offered(open, source);
    const reading = readAll(await follow(0));
    await reader.close();
    expect(await reading).toMatchObject({ fault: { name: 'BusAway' } });
    await expect.poll(() => state.isEnded).toBe(true);
  });
});

/** Two joined buses; `pass` decides which texts of the sender arrive. */
async function lossy(pass: (text: string) => boolean) {
  const opener = new MessageSeal(busKeys);
  const exchange = new InProcessExchange();
  const carrier: Carrier = exchange.join();
  const send = carrier.send.bind(carrier);
  carrier.send = async (channel, text) => {
    if (pass(opener.open(channel, text) ?? '')) await send(channel, text);
  };
  const sender = await Bus.open(carrier, { ...busOptions({ times, clock }), replica: 'sender' });
  onTestFinished(() => sender.close());
  const [reader] = await joinedBuses(exchange, 1, { times, clock });
  if (reader === undefined) throw new Error('there is no reader');
  const follow = (body: unknown) => reader.follow({ replica: 'sender', kind: 'numbers', body });
  return { exchange, reader, sender, follow };
}

describe('a stream between replicas', () => {
  it('ends with a fault at the first message that is missing, and never gives a later one', async () => {
    const { sender, follow } = await lossy((text) => !text.includes('"number":3,'));
    sender.offer('numbers', counting().source);
    expect(await readAll(await follow(10))).toMatchObject({ read: [1, 2], fault: { name: 'BusAway' } });
  });

  it('ends with a fault when its last message is missing and the source goes on in silence', async () => {
    const { sender, follow } = await lossy((text) => !text.includes('"item"'));
    sender.offer('numbers', waiting().source);
    expect(await readAll(await follow(10))).toMatchObject({ read: [], fault: { name: 'BusAway' } });
  });

  it('is not given up when more time passes than between two signs of life, before the other replica knows of it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { sender, reader, exchange, follow } = await lossy(() => true);
    const source = exchange.replicas.get('sender');
    if (source === undefined) throw new Error('there is no sender');
    const received = source.received.bind(source);
    let heard = 0;
    source.received = (channel, text) => {
      // The first word is the call that opens the stream. It takes its time.
      heard += 1;
      if (heard > 1) {
        received(channel, text);
        return;
      }
      void vi
        .advanceTimersByTimeAsync(3 * times.heartbeatMs)
        .then(() => setImmediate(() => setImmediate(received, channel, text)));
    };
    sender.offer('numbers', counting().source);
    expect(await readAll(await follow(3))).toEqual({ read: [1, 2, 3], fault: undefined });
    expect(reader.dropped.size).toBe(0);
  });

  it('ends with a fault when its end was lost', async () => {
    let isLost = false;
    const { sender, follow } = await lossy((text) => {
      const isFirstEnd = !isLost && text.includes('"end"');
      isLost ||= isFirstEnd;
      return !isFirstEnd;
    });
    sender.offer('numbers', counting().source);
    expect(await readAll(await follow(3))).toMatchObject({ read: [1, 2, 3], fault: { name: 'BusAway' } });
  });

  it('ends with a fault when its source falls silent, but not while it only has nothing to say', async () => {
    let isSilent = false;
    const { sender, follow } = await lossy(() => !isSilent);
    const { state, source } = waiting();
    sender.offer('numbers', source);
    const reading = readAll(await follow(0));
    let isOver = false;
    void reading.then(() => (isOver = true));
    await passASilence();
    expect(isOver).toBe(false);
    isSilent = true;
    // A message that was on its way still counts as heard, however late it is.
    expect(await afterSilence(reading)).toMatchObject({
      read: ['first'],
      fault: { name: 'BusAway', message: 'the other replica is silent' },
    });
    // The word that the reader has left still arrives.
    await expect.poll(() => state.isEnded).toBe(true);
  });

  it('ends its source when the reader falls silent', async () => {
    const { state, source } = waiting();
    const { sender, follow, exchange } = await lossy(() => true);
    sender.offer('numbers', source);
    const reading = readAll(await follow(0));
    exchange.cut();
    expect(await afterSilence(reading)).toMatchObject({ fault: { name: 'BusAway' } });
    await expect.poll(() => state.isEnded).toBe(true);
  });

  it('gives large messages to a reader that is slower than they are stored', async () => {
    let stored = 0;
    const exchange = new InProcessExchange(() => performance.now() + stored);
    const buses = await joinedBuses(exchange, 2, { times, clock });
    const [reader, sender] = [at(buses, 0), at(buses, 1)];
    let given = 0;
    sender.offer('numbers', async function* () {
      for (; given < 70; given += 1) yield 'x'.repeat(70_000 + given);
    });
    const stream = await reader.follow({ replica: sender.replica, kind: 'numbers', body: 0 });
    await expect.poll(() => given).toBe(64);
    // The last message is on its way: it arrives with the next turn of the event loop, and its body is fetched then.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    stored = 60_000;
    const { read, fault } = await readAll(stream);
    expect(fault).toBeUndefined();
    expect(read.map((text) => String(text).length)).toEqual(Array.from({ length: 70 }, (_, index) => 70_000 + index));
  });

  it('gives a message that is sent again once', async () => {
    const { sender, reader, exchange, follow } = await lossy(() => true);
    const spy = exchange.join();
    const opener = new MessageSeal(busKeys);
    const seen: string[] = [];
    const isHeard = Promise.withResolvers<undefined>();
    sender.offer('numbers', async function* () {
      yield 1;
      await isHeard.promise;
      yield 2;
    });
    const listener = [...exchange.replicas.values()][1];
    if (listener === undefined) throw new Error('there is no reader');
    const received = listener.received.bind(listener);
    listener.received = (channel, text) => {
      received(channel, text);
      if (opener.open(channel, text)?.includes('"item"') === true) seen.push(text);
    };
    const reading = readAll(await follow(0));
    await expect.poll(() => seen.length).toBe(1);
    await spy.send(spy.channelOf(reader.replica), seen[0] ?? '');
    await expect.poll(() => reader.dropped.get('replayed')).toBe(1);
    isHeard.resolve(undefined);
    expect(await reading).toEqual({ read: [1, 2], fault: undefined });
  });
});

describe.skipIf(!hasRedis)('a stream over Redis', () => {
  it('ends on both sides when Redis is killed in its middle', async () => {
    const server = await RedisServer.start();
    onTestFinished(() => server.close());
    const ended = Promise.withResolvers<undefined>();
    const { follow } = await offered(
      (count) => redisBuses(server, count, { times, clock }),
      async function* (_body, { signal }) {
        try {
          for (let number = 1; !signal.aborted; number += 1) {
            yield number;
            await new Promise(setImmediate);
          }
        } finally {
          ended.resolve(undefined);
        }
      },
    );
    const stream = await follow(0);
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    const reading = readAll(stream);
    await server.kill();
    const { read, fault } = await afterSilence(reading);
    expect(fault).toMatchObject({ name: 'BusAway' });
    expect(read).toEqual(read.map((_, index) => index + 2));
    await ended.promise;
  });
});
