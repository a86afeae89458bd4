import { describe, expect, it, vi } from 'vitest';
import { InProcessExchange } from '../../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { StorageOfOthers } from '../../../../src/app/replicas/storage-of-others.ts';
import { storageReadiness } from '../../../../src/app/replicas/storage-readiness.ts';
import { joinedBuses } from '../../../support/bus/opened-buses.ts';

/** What `/readyz` says of storage that takes writes at these moments and not at the others. `others`: whether others can use it. */
async function said(others: boolean | undefined, ...moments: readonly boolean[]): Promise<readonly string[]> {
  const answers = [...moments];
  const clock = { ms: 0 };
  const check = storageReadiness({
    isWritable: () => Promise.resolve(answers.shift() ?? false),
    ...(others === undefined ? {} : { others: { ask: () => others, forget: () => undefined } }),
    now: () => clock.ms,
  });
  const states: string[] = [];
  for (const _ of moments) {
    states.push((await check()).state);
    clock.ms += 8_000;
  }
  return states;
}

/** Replicas that share a storage, and a clock that the test moves. Each of them says whether it can use the storage. */
async function replicas(count: number) {
  const clock = { ms: 0 };
  const now = (): number => clock.ms;
  const buses = await joinedBuses(new InProcessExchange(), count);
  const each = buses.map((bus) => {
    const storage = { isThere: true };
    const isWritable = (): Promise<boolean> => Promise.resolve(storage.isThere);
    const others = new StorageOfOthers({ bus, isWritable, now });
    return { storage, readiness: storageReadiness({ isWritable, others, now }) };
  });
  const states = (): Promise<readonly string[]> =>
    Promise.all(each.map(async ({ readiness }) => (await readiness()).state));
  return { states, clock, storages: each.map(({ storage }) => storage) };
}

describe('the readiness of the storage (contract/operations.md#probes, contract/replicas.md#away)', () => {
  it('only degrades a replica once that has reached it, and is ok again by itself', async () => {
    expect(await said(false, true, false, false, true)).toEqual(['ok', 'degraded', 'degraded', 'ok']);
    expect(await said(false, true, false, false, false, false)).toEqual(['ok', ...Array<string>(4).fill('degraded')]);
  });

  it('fails a replica that has not reached it yet', async () => {
    expect(await said(false, false, false, true, false)).toEqual(['failed', 'failed', 'ok', 'degraded']);
  });

  it('fails a server that has it alone, whenever it takes no writes', async () => {
    expect(await said(undefined, true, false, true)).toEqual(['ok', 'failed', 'ok']);
  });

  it('fails a replica that alone has lost it for 15 s, until it has it again', async () => {
    expect(await said(true, true, false, false, false, true, false)).toEqual([
      ...['ok', 'degraded', 'degraded', 'failed', 'ok', 'degraded'],
    ]);
  });

  it('fails one replica after the other, but never the last that loses it', async () => {
    const { states, clock, storages } = await replicas(3);
    expect(await states()).toEqual(['ok', 'ok', 'ok']);
    const expected = [
      ['failed', 'ok', 'ok'],
      ['failed', 'failed', 'ok'],
      ['failed', 'failed', 'degraded'],
    ];
    for (const [index, storage] of storages.entries()) {
      storage.isThere = false;
      await states();
      clock.ms += 15_000;
      // The answers of the others come between two probes.
      await vi.waitFor(async () => expect(await states()).toEqual(expected[index]));
    }
    clock.ms += 30_000;
    expect(await states()).toEqual(['degraded', 'degraded', 'degraded']);
    for (const storage of storages) storage.isThere = true;
    expect(await states()).toEqual(['ok', 'ok', 'ok']);
  });

  it('says nothing of what was heard before the storage was there for a moment', async () => {
    const { states, clock, storages } = await replicas(2);
    const [alone, other] = storages;
    if (alone === undefined || other === undefined) throw new Error('there are two');
    await states();
    alone.isThere = false;
    await states();
    clock.ms += 15_000;
    await vi.waitFor(async () => expect(await states()).toEqual(['failed', 'ok']));
    alone.isThere = true;
    expect(await states()).toEqual(['ok', 'ok']);
    [alone.isThere, other.isThere] = [false, false];
    await states();
    clock.ms += 15_000;
    expect(await states()).toEqual(['degraded', 'degraded']);
  });
});
