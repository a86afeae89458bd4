import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import { BudgetLedger } from '../../../src/core/budgets/budget-ledger.ts';
import type { BudgetAccounts, BudgetHold, BudgetStore } from '../../../src/core/ports/budget-store.ts';
import { recordingLogger } from '../../support/quiet.ts';

const now = 1_000_000;
const day = 86_400_000;

const hold = (changes: Partial<BudgetHold> = {}): BudgetHold => ({
  ...{ account: 'ann', amount: 100, below: 1_000, endsAt: now + day },
  ...changes,
});

const spent = (amount: number, account = 'ann') => [{ account, amount }];

/** A ledger over the embedded storage. `next` takes the storage from it, and opens it as the next process does. */
async function place() {
  const path = await mkdtemp(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const open = async (): Promise<{ readonly store: BudgetStore; readonly end: () => Promise<void> }> => {
    const { budgets: store, journal } = await openStores({ type: 'embedded', path });
    onTestFinished(() => journal.close());
    return { store, end: () => journal.close() };
  };
  const first = await open();
  const faults = faultsOf(first.store);
  const log = recordingLogger();
  const ledger = new BudgetLedger({ store: faults.store, log });
  onTestFinished(() => ledger.close());
  return {
    ...{ ledger, log, faults, store: first.store },
    next: async () => {
      await first.end();
      const { store } = await open();
      return { store, leftBehind: await store.countLeftBehind() };
    },
  };
}

type Fault = 'none' | 'fails' | 'fails after the change';

/** The store with the faults of a disk that is full, and of one that answers too late. */
function faultsOf(store: BudgetAccounts) {
  const faults: { hold: Fault; settle: Fault } = { hold: 'none', settle: 'none' };
  const failing = async <Result>(fault: Fault, change: () => Promise<Result>): Promise<Result> => {
    if (fault === 'fails') throw new Error('the disk is full');
    const result = await change();
    if (fault === 'fails after the change') throw new Error('the disk did not answer in time');
    return result;
  };
  const failingStore: BudgetAccounts = {
    hold: (...all) => failing(faults.hold, () => store.hold(...all)),
    settle: (...all) => failing(faults.settle, () => store.settle(...all)),
    uses: (...all) => store.uses(...all),
  };
  return { set: (changes: Partial<typeof faults>) => Object.assign(faults, changes), store: failingStore };
}

describe('a ledger of budgets over the embedded storage (contract/limits.md#budgets)', () => {
  // proves configuration-2-68
  it('gives back what it has covered ahead when its process closes', async () => {
    const { ledger, next } = await place();
    await ledger.hold('one', [hold(), hold({ account: 'day' })], now);
    await ledger.settle('one', [...spent(20), ...spent(20, 'day')]);
    await ledger.close();
    const { store, leftBehind } = await next();
    expect(leftBehind).toBe(0);
    expect(await store.uses(['ann'], now)).toEqual([{ account: 'ann', spent: 20, held: 0, endsAt: now + day }]);
    expect(await store.uses(['day'], now)).toEqual([{ account: 'day', spent: 20, held: 0, endsAt: now + day }]);
  });

  it('counts a call that outlives the closing with what it has spent', async () => {
    const { ledger, next } = await place();
    await ledger.hold('one', [hold()], now);
    await ledger.close();
    await ledger.settle('one', spent(30));
    expect((await (await next()).store.uses(['ann'], now))[0]).toMatchObject({ spent: 30, held: 0 });
  });

  // proves configuration-2-68
  it('counts a call that the closing has cut off with what was held for it', async () => {
    const { ledger, next } = await place();
    await ledger.hold('one', [hold()], now);
    await ledger.close();
    const { store, leftBehind } = await next();
    expect(leftBehind).toBe(1);
    expect((await store.uses(['ann'], now))[0]).toMatchObject({ spent: 100, held: 0 });
  });

  // proves configuration-2-68
  it('counts all that was held and spent after a kill, and a twentieth of what was left at most', async () => {
    const { ledger, next } = await place();
    await ledger.hold('one', [hold()], now);
    await ledger.settle('one', spent(100));
    await ledger.hold('two', [hold({ amount: 30 })], now);
    const { store } = await next();
    const [use] = await store.uses(['ann'], now);
    expect(use?.spent).toBeGreaterThanOrEqual(130);
    expect(use?.spent).toBeLessThanOrEqual(130 + 900 / 20);
  });

  // proves configuration-2-64
  it('counts in no later window what calls of an earlier one take, and leaves nothing held for them', async () => {
    const { ledger, store, next } = await place();
    await ledger.hold('early', [hold()], now);
    await ledger.hold('long', [hold()], now);
    const later = now + day;
    await ledger.hold('late', [hold({ amount: 40, endsAt: later + day })], later);
    await ledger.settle('early', spent(900));
    await ledger.settle('late', spent(7));
    await ledger.close();
    expect(await store.uses(['ann'], later)).toEqual([{ account: 'ann', spent: 7, held: 0, endsAt: later + day }]);
    await ledger.settle('long', spent(900));
    expect(await store.uses(['ann'], later)).toEqual([{ account: 'ann', spent: 7, held: 0, endsAt: later + day }]);
    expect((await next()).leftBehind).toBe(0);
  });

  it('makes no call that the store cannot cover, and holds nothing for it', async () => {
    const { ledger, faults, next } = await place();
    faults.set({ hold: 'fails' });
    await expect(ledger.hold('one', [hold(), hold({ account: 'day' })], now)).rejects.toThrow('the disk is full');
    expect(await ledger.uses(['ann', 'day'], now)).toMatchObject([{ spent: 0, held: 0 }, { held: 0 }]);
    faults.set({ hold: 'none' });
    expect(await ledger.hold('two', [hold()], now)).toBe(true);
    await ledger.settle('two', spent(3));
    await ledger.close();
    expect((await (await next()).store.uses(['ann'], now))[0]).toMatchObject({ spent: 3, held: 0 });
  });

  // proves configuration-2-78
  it('makes calls that are covered already while the store fails, and no others', async () => {
    const { ledger, faults } = await place();
    await ledger.hold('one', [hold({ amount: 10 })], now);
    faults.set({ hold: 'fails', settle: 'fails' });
    expect(await ledger.hold('two', [hold({ amount: 10 })], now)).toBe(true);
    await expect(ledger.hold('three', [hold({ amount: 60 })], now)).rejects.toThrow('the disk is full');
    expect(await ledger.uses(['ann'], now)).toMatchObject([{ spent: 0, held: 20 }]);
  });

  it('gives back what a store that answers too late has held all the same', async () => {
    const { ledger, faults, next } = await place();
    faults.set({ hold: 'fails after the change' });
    await expect(ledger.hold('one', [hold()], now)).rejects.toThrow('in time');
    await expect(ledger.hold('two', [hold()], now)).rejects.toThrow('in time');
    faults.set({ hold: 'none' });
    await ledger.close();
    const { store, leftBehind } = await next();
    expect(leftBehind).toBe(0);
    expect(await store.uses(['ann'], now)).toMatchObject([{ spent: 0, held: 0 }]);
  });

  it.each<Fault>(['fails', 'fails after the change'])(
    'goes on counting what it has covered where the store %s, says so once, and tells it later',
    async (fault) => {
      const { ledger, log, faults, store, next } = await place();
      await ledger.hold('one', [hold()], now);
      await ledger.settle('one', spent(20));
      faults.set({ settle: fault });
      await ledger.close();
      await ledger.close();
      expect(log.lines.map(({ message }) => message)).toEqual([
        'what was spent of a budget could not be stored: more than that counts',
      ]);
      const [during] = await store.uses(['ann'], now);
      expect((during?.spent ?? 0) + (during?.held ?? 0)).toBeGreaterThanOrEqual(20);
      faults.set({ settle: 'none' });
      await ledger.hold('two', [hold()], now);
      await ledger.settle('two', spent(5));
      await ledger.close();
      const { store: after, leftBehind } = await next();
      expect(leftBehind).toBe(0);
      expect(await after.uses(['ann'], now)).toMatchObject([{ spent: 25, held: 0 }]);
    },
  );
});
