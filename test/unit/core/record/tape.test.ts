import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTurn } from '../../../../src/core/record/opened-turn.ts';
import { Tape } from '../../../../src/core/record/tape.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';

const sealer = testRecordSealer();
const row = {
  actionId: 'q',
  callId: 'c',
  turnId: 't',
  conversationId: 'c',
  action: 'close_case',
  argumentsHash: 'h',
  arguments: '{}',
  agent: 'coordinator',
  owner: null,
  requestedAt: 1,
};

const markOf = (userKey: string): string => `mark of ${userKey}`;

function taped() {
  const stores = memoryStores();
  const log = recordingLogger();
  const clock = { now: () => 1000, elapsed: () => 0 };
  const tape = new Tape('t', {
    store: stores.turns,
    sealer,
    markOf,
    policy: 'question',
    clock,
    log,
    resumeWindowMs: 500,
  });
  const keep = (): void => {
    tape.keep(() => ({ header: '{"turnId":"t"}', userKey: 'id:ann', lines: [['told', 'before']] }));
  };
  const keys = async (): Promise<readonly unknown[]> => {
    const kept = await stores.turns.read('t');
    return kept === undefined ? [] : openTurn(kept, sealer).lines.map((line) => line[1]);
  };
  const batches = async () => (await stores.turns.read('t'))?.batches.map(({ count }) => count);
  return { ...stores, tape, keep, log, keys, batches };
}

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const waits = Symbol('waits');
  for (let loop = 0; loop < 3; loop += 1) await nextLoop();
  return (await Promise.race([promise.catch(() => undefined), Promise.resolve(waits)])) !== waits;
}

describe('the tape of a turn that is not kept', () => {
  it('writes nothing, holds nobody up, and names no hold', async () => {
    const { tape, turns } = taped();
    expect(tape.write(['told', 'a'])).toBe(0);
    await tape.flush();
    await tape.end();
    await tape.suspend();
    expect([tape.isKept, tape.hold(), tape.durable]).toEqual([false, undefined, 0]);
    expect(await turns.ids()).toEqual([]);
  });
});

describe('the tape of a turn that is kept (contract/confirmations.md#the-journal)', () => {
  it('begins with what was there, and then writes in order, what one step writes in one go', async () => {
    const { tape, keep, keys, batches } = taped();
    keep();
    expect(tape.write(['told', 'a'])).toBe(2);
    await tape.flush();
    tape.write(['told', 'b']);
    expect(tape.write(['told', 'c'])).toBe(4);
    await tape.flush();
    expect(await keys()).toEqual(['before', 'a', 'b', 'c']);
    expect(await batches()).toEqual([2, 2]);
  });

  it('is flushed once all that was written is stored, and tells what is', async () => {
    const { tape, keep, turns } = taped();
    const stored = Promise.withResolvers<undefined>();
    const create = turns.create.bind(turns);
    turns.create = async (...given) => {
      await create(...given);
      await stored.promise;
    };
    const durable: number[] = [];
    tape.onDurable = () => durable.push(tape.durable);
    keep();
    tape.write(['told', 'a']);
    const flushed = tape.flush();
    expect(await isSettled(flushed)).toBe(false);
    expect([durable, tape.durable]).toEqual([[], 0]);
    stored.resolve(undefined);
    await flushed;
    expect(durable).toEqual([2]);
  });

  it('hands over what a row of the journal is born under before the row', async () => {
    const { tape, keep, journal } = taped();
    keep();
    tape.write(['told', 'asked']);
    const hold = tape.hold();
    expect(hold).toEqual({ turnId: 't', epoch: 1, lines: 2 });
    await journal.requested(row, hold);
    expect(await journal.find('q')).toMatchObject({ state: 'requested' });
  });

  it.each([
    ['was not made', false],
    ['was made all the same', true],
  ])('tries a write that failed again until it holds, in order and none twice, when it %s', async (_title, isMade) => {
    const { tape, keep, turns, keys } = taped();
    keep();
    await tape.flush();
    const append = turns.append.bind(turns);
    let failures = 2;
    turns.append = async (...given) => {
      const fails = failures > 0;
      failures -= 1;
      if (!fails || isMade) await append(...given);
      if (fails) throw new Error('disk full');
    };
    tape.write(['told', 'a']);
    const flushed = tape.flush();
    await nextLoop();
    tape.write(['told', 'b']);
    await flushed;
    await tape.flush();
    expect(await keys()).toEqual(['before', 'a', 'b']);
    expect(tape.durable).toBe(3);
  });

  it('tells whoever attempts that the store is away, at once the second time, and writes all the same once it is back', async () => {
    const { tape, keep, turns, keys } = taped();
    const create = turns.create.bind(turns);
    turns.create = () => Promise.reject(new Error('disk full'));
    keep();
    await expect(tape.attempt()).rejects.toThrow('cannot be stored');
    await expect(tape.attempt()).rejects.toMatchObject({ cause: new Error('disk full') });
    turns.create = create;
    await tape.flush();
    await tape.attempt();
    expect(await keys()).toEqual(['before']);
  });

  it('lets nobody go on, and writes nothing more, once another process has the turn', async () => {
    const { tape, keep, turns, keys } = taped();
    keep();
    await tape.flush();
    await turns.claim('t');
    let told = 0;
    tape.onDurable = () => (told += 1);
    tape.write(['told', 'lost']);
    const [flushed, attempted] = [tape.flush(), tape.attempt()];
    // A caller who has to answer a request gets an error. The code that runs the turn must not continue.
    await expect(attempted).rejects.toThrow('the record of the turn cannot be stored');
    expect(await isSettled(flushed)).toBe(false);
    await expect(tape.attempt()).rejects.toThrow('the record of the turn cannot be stored');
    expect(tape.write(['told', 'later'])).toBe(0);
    expect(await isSettled(tape.flush())).toBe(false);
    expect(await isSettled(tape.end())).toBe(false);
    expect(await keys()).toEqual(['before']);
    expect(told).toBe(0);
  });

  it('loses the turn while it tries again, too', async () => {
    const { tape, keep, turns, keys } = taped();
    keep();
    await tape.flush();
    const append = turns.append.bind(turns);
    turns.append = async () => {
      turns.append = append;
      await turns.claim('t');
      throw new Error('disk full');
    };
    tape.write(['told', 'a']);
    const tried = Promise.withResolvers<undefined>();
    const flushed = tape.flush();
    await nextLoop();
    turns.append = (...given) => {
      tried.resolve(undefined);
      return append(...given);
    };
    await tried.promise;
    expect(await isSettled(flushed)).toBe(false);
    expect(await keys()).toEqual(['before']);
  });

  it('goes on under the epoch it was taken up with', async () => {
    const { tape, keep, turns, log, keys } = taped();
    keep();
    await tape.flush();
    const claimed = await turns.claim('t');
    const clock = { now: () => 1000, elapsed: () => 0 };
    const services = { store: turns, sealer, markOf, policy: 'question', clock, log, resumeWindowMs: 500 } as const;
    const next = new Tape('t', services, { epoch: claimed?.epoch ?? 0, lines: 1 });
    expect(next.isKept).toBe(true);
    next.write(['told', 'a']);
    await next.flush();
    expect(await keys()).toEqual(['before', 'a']);
  });

  it('is kept for the resume window after its end', async () => {
    const { tape, keep, turns } = taped();
    keep();
    await tape.end();
    expect(await turns.read('t')).toMatchObject({ forgetAt: 1500 });
  });

  it('is whole when its turn is suspended, and nothing comes after', async () => {
    const { tape, keep, keys } = taped();
    keep();
    tape.write(['told', 'a']);
    await tape.suspend();
    expect(tape.write(['told', 'b'])).toBe(0);
    expect(await isSettled(tape.flush())).toBe(false);
    expect(await keys()).toEqual(['before', 'a']);
  });

  it('is given up with a line in the log when the store is away at a suspension', async () => {
    const { tape, keep, turns, log } = taped();
    turns.create = () => Promise.reject(new Error('disk full'));
    keep();
    await tape.suspend();
    expect(log.lines).toMatchObject([{ level: 'error', fields: { turnId: 't' } }]);
  });
});
