import { describe, expect, it } from 'vitest';
import { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import type { Carrier } from '../../../src/adapters/bus/carrier.ts';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import type { DropReason } from '../../../src/adapters/bus/messages/dropped-messages.ts';
import { type BusKeys, MessageSeal } from '../../../src/adapters/bus/messages/message-seal.ts';
import { hasRedis, redisOfFile } from '../../support/databases/redis.ts';
import { at, busKey, busKeys, busOptions, joinedBuses, redisBuses } from '../../support/bus/opened-buses.ts';

const redis = redisOfFile();

/** An exchange with a bus that notes what it does, and a carrier of somebody who can write to the exchange and listen. */
async function attacked(keys: BusKeys = busKeys) {
  const exchange = new InProcessExchange();
  const texts: { channel: string; text: string }[] = [];
  const attacker = exchange.join();
  const [bus] = await joinedBuses(exchange, 1, { keys });
  if (bus === undefined) throw new Error('there is no bus');
  const done: unknown[] = [];
  bus.answer('act', async (body) => done.push(body));
  bus.onTold('stop', (body) => done.push(body));
  await attacker.open('attacker', {
    received: (channel, text) => texts.push({ channel, text }),
    changed: () => undefined,
    forgotten: () => undefined,
  });
  const channel = attacker.channelOf(bus.replica);
  /** A message as another replica would write it. */
  const message = (changes: object = {}): string =>
    JSON.stringify({
      ...{ from: 'attacker', to: bus.replica, id: `id ${Math.random()}`, at: Date.now() },
      ...{ type: 'ask', kind: 'act', until: exchange.now() + 1_500, attempt: 1, body: 'now', ...changes },
    });
  const seal = new MessageSeal(keys);
  const sealed = (changes: object = {}, on = channel): string => seal.seal(on, message(changes));
  return { exchange, attacker, bus, done, texts, channel, message, seal, sealed };
}

/** Sends a text and waits until it was dealt with. */
async function arrived(carrier: Carrier, channel: string, text: string): Promise<void> {
  await carrier.send(channel, text);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

const only = (reason: DropReason, count = 1): ReadonlyMap<DropReason, number> => new Map([[reason, count]]);

describe('a message between replicas', () => {
  it('is acted on when it was sealed for this replica, and answered', async () => {
    const { attacker, bus, done, texts, channel, sealed } = await attacked();
    await arrived(attacker, channel, sealed());
    await expect.poll(() => texts.length).toBe(1);
    expect(done).toEqual(['now']);
    expect(bus.dropped.size).toBe(0);
  });

  // proves wire-10-22
  it.each<[string, (with_: Awaited<ReturnType<typeof attacked>>) => string, DropReason]>([
    ['in the clear', ({ message }) => message(), 'forged'],
    [
      'sealed with another key',
      ({ message, channel }) => new MessageSeal([busKey('other')]).seal(channel, message()),
      'forged',
    ],
    [
      'sealed with another key under the name of a known one',
      ({ message, channel }) => new MessageSeal([{ id: 'one', bytes: busKey('other').bytes }]).seal(channel, message()),
      'forged',
    ],
    ['changed after it was sealed', ({ sealed }) => sealed().replace(/(....)$/u, 'AAA='), 'forged'],
    ['whose end was cut off', ({ sealed }) => sealed().slice(0, -4), 'forged'],
    ['that is nothing but its beginning', ({ sealed }) => sealed().replace(/[^.]*$/u, ''), 'forged'],
    ['with another salt', ({ sealed }) => sealed().replace(/^(hb2\.one\.)[^.]*/u, `$1${'A'.repeat(22)}`), 'forged'],
    ['with a salt that was cut', ({ sealed }) => sealed().replace(/^(hb2\.one\.)[^.]*/u, '$1'), 'forged'],
    ['under another number', ({ sealed }) => sealed().replace('.0.', '.1.'), 'forged'],
    ['under no number', ({ sealed }) => sealed().replace('.0.', '.-.'), 'forged'],
    ['of another format', ({ sealed }) => sealed().replace('hb2.', 'hb1.'), 'forged'],
    ['sealed for another channel', ({ sealed, attacker }) => sealed({}, attacker.channelOf('other')), 'forged'],
    ['with an empty text', () => '', 'forged'],
    ['that is too long', ({ sealed }) => sealed({ body: 'x'.repeat(80_000) }), 'oversized'],
    ['for another replica', ({ sealed }) => sealed({ to: 'other' }), 'readdressed'],
    [
      'for all replicas on the channel of one',
      ({ sealed }) => sealed({ to: null, type: 'news', kind: 'stop' }),
      'readdressed',
    ],
    ['of two minutes ago', ({ sealed }) => sealed({ at: Date.now() - 121_000 }), 'untimely'],
    ['from the future', ({ sealed }) => sealed({ at: Date.now() + 121_000 }), 'untimely'],
    ['that nobody waits for any more', ({ sealed, exchange }) => sealed({ until: exchange.now() - 1 }), 'late'],
    ['of no known type', ({ sealed }) => sealed({ type: 'obey' }), 'unreadable'],
    ['of a type that every object has', ({ sealed }) => sealed({ type: 'toString' }), 'unreadable'],
    ['without an id', ({ sealed }) => sealed({ id: undefined }), 'unreadable'],
    ['without a body', ({ sealed }) => sealed({ body: undefined }), 'unreadable'],
    [
      'with a place of its body that is none',
      ({ sealed }) => sealed({ body: undefined, stored: { key: 1 } }),
      'unreadable',
    ],
    ['that is no JSON', ({ seal, channel }) => seal.seal(channel, '{'), 'unreadable'],
    ['that answers nothing', ({ sealed }) => sealed({ type: 'answer' }), 'stray'],
    ['of a stream that nobody follows', ({ sealed }) => sealed({ type: 'item', number: 1 }), 'stray'],
  ])('%s is dropped and counted', async (_name, text, reason) => {
    const attack = await attacked();
    await arrived(attack.attacker, attack.channel, text(attack));
    expect(attack.done).toEqual([]);
    expect(attack.texts).toEqual([]);
    expect(attack.bus.dropped).toEqual(only(reason));
  });

  // proves wire-10-22
  it('that is sent again is dropped, and its second attempt gets the first answer', async () => {
    const { attacker, bus, done, texts, channel, sealed } = await attacked();
    const id = 'a call';
    const first = sealed({ id });
    for (let time = 0; time < 5; time += 1) await arrived(attacker, channel, first);
    await arrived(attacker, channel, sealed({ id, attempt: 2, body: 'another' }));
    await expect.poll(() => texts.length).toBe(2);
    expect(done).toEqual(['now']);
    expect(bus.dropped).toEqual(only('replayed', 4));
    await arrived(attacker, channel, sealed({ id, attempt: 3 }));
    expect(bus.dropped).toEqual(only('replayed', 5));
  });

  // proves wire-10-22
  it('to all is heard once, and by nobody who began after it', async () => {
    const { attacker, bus, done, seal, message } = await attacked();
    const { channelOfAll } = attacker;
    const news = { to: null, type: 'news', kind: 'stop', id: 'n1', body: 'stop' };
    const text = seal.seal(channelOfAll, message(news));
    for (let time = 0; time < 3; time += 1) await arrived(attacker, channelOfAll, text);
    expect(done).toEqual(['stop']);
    await arrived(
      attacker,
      channelOfAll,
      seal.seal(channelOfAll, message({ ...news, id: 'n2', at: Date.now() - 60_000 })),
    );
    expect(done).toEqual(['stop']);
    expect(bus.dropped).toEqual(
      new Map([
        ['replayed', 2],
        ['untimely', 1],
      ]),
    );
  });

  it('brings no answer in the name of another replica', async () => {
    const { attacker, bus, exchange, texts, channel, sealed } = await attacked();
    const [other] = await joinedBuses(exchange, 1);
    other?.answer('wait', () => new Promise(() => undefined));
    const asking = bus.ask({ replica: other?.replica ?? '', kind: 'wait', body: 1 });
    asking.catch(() => undefined);
    await new Promise(setImmediate);
    // The attacker knows the id of the call, but not the key: the best is the text of another message.
    await arrived(attacker, channel, sealed({ type: 'answer', id: 'guessed' }));
    expect(bus.dropped).toEqual(only('stray'));
    expect(texts).toEqual([]);
    await expect(asking).rejects.toMatchObject({ name: 'BusAway' });
  });

  // proves wire-10-22
  it('whose stored body was changed is not acted on', async () => {
    const exchange = new InProcessExchange();
    const carrier = exchange.join();
    const put = carrier.put.bind(carrier);
    carrier.put = (key, text, ttlMs) => put(key, `${text.slice(0, -4)}AAA=`, ttlMs);
    const asking = await CarriedBus.open(carrier, { ...busOptions(), replica: 'asking' });
    const [asked] = await joinedBuses(exchange, 1);
    const done: unknown[] = [];
    asked?.answer('act', async (body) => done.push(body));
    await expect(
      asking.ask({ replica: asked?.replica ?? '', kind: 'act', body: 'x'.repeat(70_000) }),
    ).rejects.toMatchObject({ code: 'internal' });
    expect(done).toEqual([]);
    await asking.close();
  });
});

describe('what was dropped between replicas', () => {
  it('is logged once a minute, without a word of it', async () => {
    const exchange = new InProcessExchange();
    const attacker = exchange.join();
    let passed = 0;
    const options = busOptions({ clock: { now: () => Date.now(), elapsed: () => passed } });
    const bus = await CarriedBus.open(exchange.join(), { ...options, replica: 'attacked' });
    await attacker.open('attacker', {
      received: () => undefined,
      changed: () => undefined,
      forgotten: () => undefined,
    });
    const channel = attacker.channelOf('attacked');
    for (let time = 0; time < 10; time += 1) await arrived(attacker, channel, 'Secret words.');
    expect(options.log.lines).toEqual([
      { level: 'warn', fields: { dropped: { forged: 1 } }, message: expect.any(String) },
    ]);
    passed = 61_000;
    await arrived(attacker, channel, 'Secret words.');
    expect(options.log.lines.map(({ fields }) => fields)).toEqual([
      { dropped: { forged: 1 } },
      { dropped: { forged: 11 } },
    ]);
    await bus.close();
  });
});

describe.skipIf(!hasRedis)('whoever can write to Redis', () => {
  // proves wire-10-22
  it('makes nothing happen with what it has read there, on any channel', async () => {
    const server = await redis();
    const buses = await redisBuses(server, 2);
    const [asking, asked] = [at(buses, 0), at(buses, 1)];
    const done: unknown[] = [];
    asked.answer('act', async (body) => done.push(body));
    for (const bus of buses) bus.onTold('stop', (body) => done.push(body));
    await server.use(async (spy) => {
      await spy.psubscribe('*');
      const seen: [string, string][] = [];
      spy.on('pmessage', (_pattern: string, channel: string, text: string) => {
        if (!text.startsWith('echo ')) seen.push([channel, text]);
      });
      await asking.ask({ replica: asked.replica, kind: 'act', body: 'once' });
      await asking.tell('stop', 'all');
      await expect.poll(() => seen.length).toBe(3);
      const read = [...seen];
      await server.use(async (writer) => {
        for (const [channel] of read) for (const [, text] of read) await writer.publish(channel, text);
      });
      // An answer that comes after all of it shows that all of it was dealt with.
      await asking.ask({ replica: asked.replica, kind: 'act', body: 'after' });
      await asked.ask({ replica: asking.replica, kind: 'none', body: 0 }).catch(() => undefined);
    });
    expect(done).toEqual(['once', 'all', 'after']);
    const dropped = [asking, asked].flatMap((bus) => [...bus.dropped.keys()]);
    expect(new Set(dropped)).toEqual(new Set(['forged', 'replayed', 'stray']));
  });
});

describe('keys of the bus', () => {
  // proves wire-10-23
  it('are changed one replica after the other, and no call fails', async () => {
    const exchange = new InProcessExchange();
    const buses = await joinedBuses(exchange, 2);
    const [one, other] = [at(buses, 0), at(buses, 1)];
    for (const bus of buses) bus.answer('same', async (body) => body);
    const expectAnswers = async (): Promise<void> => {
      expect(await one.ask({ replica: other.replica, kind: 'same', body: 1 })).toBe(1);
      expect(await other.ask({ replica: one.replica, kind: 'same', body: 2 })).toBe(2);
    };
    const [old, young] = [busKey('one'), busKey('two')];
    const steps: readonly BusKeys[] = [[old, young], [young, old], [young]];
    for (const keys of steps) {
      for (const bus of buses) {
        bus.useKeys(keys);
        await expectAnswers();
      }
    }
  });

  it('separate servers that share a Redis by mistake', async () => {
    const exchange = new InProcessExchange();
    const [one] = await joinedBuses(exchange, 1);
    const [stranger] = await joinedBuses(exchange, 1, { keys: [busKey('stranger')] });
    one?.answer('act', async () => 'done');
    await expect(stranger?.ask({ replica: one?.replica ?? '', kind: 'act', body: 1 })).rejects.toMatchObject({
      name: 'BusAway',
    });
    expect(one?.dropped.get('forged')).toBe(2);
  });
});
