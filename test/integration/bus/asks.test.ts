import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { busTimes } from '../../../src/adapters/bus/bus-limits.ts';
import { Answers } from '../../../src/adapters/bus/calls/answers.ts';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import { Asks } from '../../../src/adapters/bus/calls/asks.ts';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { HelperError } from '../../../src/core/errors/helper-error.ts';
import { hasRedis, redisOfFile } from '../../support/databases/redis.ts';
import { at, joinedBuses, redisBuses } from '../../support/bus/opened-buses.ts';
import { patienceMs } from '../../support/patience.ts';

const redis = redisOfFile();

type Open = (count: number, times: typeof busTimes) => Promise<CarriedBus[]>;

const carriers: readonly (readonly [string, Open])[] = [
  ['in one process', (count, times) => joinedBuses(new InProcessExchange(), count, { times })],
  ...(hasRedis
    ? [
        ['over Redis', async (count: number, times) => redisBuses(await redis(), count, { times })] satisfies [
          string,
          Open,
        ],
      ]
    : []),
];

/** An answer is waited for as long as any test waits: a busy machine takes its time. */
const patient = { ...busTimes, answerMs: patienceMs };

/** Two buses, the first of which asks the second one. */
async function pair(open: Open, times = patient): Promise<{ asking: CarriedBus; asked: CarriedBus }> {
  const buses = await open(2, times);
  return { asking: at(buses, 0), asked: at(buses, 1) };
}

/** Resolves when the call of the test has been sent the second time, and has arrived. */
function secondAttempt(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const take = Reflect.get(Answers.prototype, 'take');
  const spy = vi.spyOn(Answers.prototype, 'take').mockImplementation(function (this: Answers, call) {
    Reflect.apply(take, this, [call]);
    if (call.attempt === 2) resolve(undefined);
  });
  onTestFinished(() => spy.mockRestore());
  return promise;
}

describe.each(carriers)('asking another replica, %s', (_name, open) => {
  it('gives the answer of the replica that was asked, for 1,000 calls at a time between three replicas', async () => {
    const buses = await open(3, patient);
    for (const bus of buses)
      bus.answer('double', async (body, from) => ({ by: bus.replica, from, twice: Number(body) * 2 }));
    const calls = Array.from({ length: 1_000 }, (_, index) => {
      const from = at(buses, index % 3);
      const to = at(buses, (index + 1 + (index % 2)) % 3);
      return from
        .ask({ replica: to.replica, kind: 'double', body: index })
        .then((answer) => ({ answer, expected: { by: to.replica, from: from.replica, twice: index * 2 } }));
    });
    for (const { answer, expected } of await Promise.all(calls)) expect(answer).toEqual(expected);
  });

  it.each([null, true, 0, '', 'ä€😀', [1, [2]], { __proto__: null, a: { b: null } }])(
    'carries %j there and back',
    async (body) => {
      const { asking, asked } = await pair(open);
      asked.answer('same', async (given) => given);
      expect(await asking.ask({ replica: asked.replica, kind: 'same', body })).toEqual(body);
    },
  );

  it('answers null when the handler gives nothing', async () => {
    const { asking, asked } = await pair(open);
    asked.answer('nothing', async () => undefined);
    expect(await asking.ask({ replica: asked.replica, kind: 'nothing', body: undefined })).toBeNull();
  });

  it('carries bodies of 3 MiB, and refuses one of more than 16 MiB before anything is sent', async () => {
    const { asking, asked } = await pair(open);
    asked.answer('same', async (body) => body);
    const large = 'é'.repeat(1_500_000);
    expect(await asking.ask({ replica: asked.replica, kind: 'same', body: large })).toBe(large);
    const tooLarge = 'x'.repeat(16 * 1024 * 1024);
    await expect(asking.ask({ replica: asked.replica, kind: 'same', body: tooLarge })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  it('tells the code of a fault and nothing else of it', async () => {
    const { asking, asked } = await pair(open);
    asked.answer('fail', async (body) => {
      throw body === 'known' ? new HelperError('not_owner', 'Secret words.') : new Error('Secret words.');
    });
    const failing = (body: string): Promise<unknown> => asking.ask({ replica: asked.replica, kind: 'fail', body });
    await expect(failing('known')).rejects.toMatchObject({ name: 'AnswerFailed', code: 'not_owner' });
    const fault: unknown = await failing('unknown').catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'AnswerFailed', code: 'internal' });
    expect(String(fault)).not.toContain('Secret');
  });

  it('tells that a replica knows no such kind', async () => {
    const { asking, asked } = await pair(open);
    await expect(asking.ask({ replica: asked.replica, kind: 'other', body: 1 })).rejects.toMatchObject({
      code: 'unknown_kind',
    });
  });

  it('says at once that a replica is gone', async () => {
    const { asking, asked } = await pair(open);
    await asked.close();
    await expect(asking.ask({ replica: asked.replica, kind: 'any', body: 1 })).rejects.toMatchObject({
      name: 'ReplicaGone',
    });
    await expect(asking.ask({ replica: 'aaaaaaaa', kind: 'any', body: 1 })).rejects.toMatchObject({
      name: 'ReplicaGone',
    });
  });

  it('asks a second time, and the handler runs once and answers both', async () => {
    const { asking, asked } = await pair(open);
    const again = secondAttempt();
    const answers = vi.spyOn(Asks.prototype, 'take');
    onTestFinished(() => answers.mockRestore());
    let runs = 0;
    asked.answer('slow', async () => {
      await again;
      runs += 1;
      return runs;
    });
    expect(await asking.ask({ replica: asked.replica, kind: 'slow', body: 1 })).toBe(1);
    await expect.poll(() => answers.mock.calls.length).toBe(2);
    expect(runs).toBe(1);
    expect(asked.dropped.size).toBe(0);
  });

  it('waits 1.5 s for an answer', async () => {
    const { asking, asked } = await pair(open, busTimes);
    const released = Promise.withResolvers<undefined>();
    onTestFinished(() => released.resolve(undefined));
    asked.answer('never', () => released.promise);
    const again = secondAttempt();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let isOver = false;
    const call = asking.ask({ replica: asked.replica, kind: 'never', body: 1 }).finally(() => (isOver = true));
    const rejected = expect(call).rejects.toMatchObject({
      name: 'BusAway',
      message: 'the other replica has not answered in time',
    });
    await vi.advanceTimersByTimeAsync(busTimes.againMs);
    await again;
    await vi.advanceTimersByTimeAsync(1_499 - busTimes.againMs);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await rejected;
  });

  it('stops to wait when its signal aborts', async () => {
    const { asking, asked } = await pair(open);
    const stop = new AbortController();
    const released = Promise.withResolvers<undefined>();
    onTestFinished(() => released.resolve(undefined));
    asked.answer('stopped', () => {
      stop.abort(new Error('enough'));
      return released.promise;
    });
    await expect(asking.ask({ replica: asked.replica, kind: 'stopped', body: 1 }, stop.signal)).rejects.toThrow(
      'enough',
    );
    await expect(asking.ask({ replica: asked.replica, kind: 'stopped', body: 1 }, stop.signal)).rejects.toThrow(
      'enough',
    );
  });

  it('lets a replica ask itself', async () => {
    const [bus] = await open(1, patient);
    bus?.answer('own', async (body) => body);
    expect(await bus?.ask({ replica: bus.replica, kind: 'own', body: 'me' })).toBe('me');
  });

  it('has one handler for each kind', async () => {
    const [bus] = await open(1, patient);
    bus?.answer('once', async () => 1);
    expect(() => bus?.answer('once', async () => 2)).toThrow('answered already');
  });

  it('rejects what waits when it closes', async () => {
    const { asking, asked } = await pair(open);
    const released = Promise.withResolvers<undefined>();
    onTestFinished(() => released.resolve(undefined));
    asked.answer('closing', async () => {
      await asking.close();
      await released.promise;
    });
    await expect(asking.ask({ replica: asked.replica, kind: 'closing', body: 1 })).rejects.toMatchObject({
      name: 'BusAway',
      message: 'this replica ends',
    });
  });
});

describe.each(carriers)('telling all replicas, %s', (_name, open) => {
  it('reaches each other replica once, and not the one that tells', async () => {
    const buses = await open(3, patient);
    const heard: string[] = [];
    for (const [index, bus] of buses.entries())
      bus.onTold('reload', (body, from) => heard.push(`${index} ${String(body)} ${from}`));
    const teller = at(buses, 0);
    await teller.tell('reload', 'a');
    await teller.tell('other', 'b');
    await teller.tell('reload', 'x'.repeat(70_000));
    await expect.poll(() => heard.length).toBe(4);
    expect(heard.toSorted().map((line) => line.slice(0, 3))).toEqual(['1 a', '1 x', '2 a', '2 x']);
    expect(heard.every((line) => line.endsWith(teller.replica))).toBe(true);
  });
});
