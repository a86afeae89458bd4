import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores, type StorageOptions } from '../../../src/adapters/stores/open-stores.ts';
import { BudgetLedger } from '../../../src/core/budgets/budget-ledger.ts';
import type { BudgetAccounts, BudgetHold, BudgetStore } from '../../../src/core/ports/budget-store.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';
import { recordingLogger } from '../../support/quiet.ts';

const postgres = databasesOfRun();
const now = 1_000_000;
const day = 86_400_000;

function hold(changes: Partial<BudgetHold> = {}): BudgetHold {
  return { account: 'ann', amount: 40, below: 100, endsAt: now + day, ...changes };
}

async function embedded(): Promise<StorageOptions> {
  const path = await mkdtemp(join(tmpdir(), 'budgets-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return { type: 'embedded', path };
}

async function opened(storage: StorageOptions): Promise<BudgetStore> {
  const { budgets, journal } = await openStores(storage);
  onTestFinished(() => journal.close());
  return budgets;
}

async function openedLedger(storage: StorageOptions): Promise<BudgetAccounts> {
  const ledger = new BudgetLedger({ store: await opened(storage), log: recordingLogger() });
  onTestFinished(() => ledger.close());
  return ledger;
}

const stores: readonly (readonly [string, () => Promise<BudgetStore>])[] = [
  ['InMemoryBudgetStore', () => opened({ type: 'memory' })],
  ['SqlBudgetStore on SQLite', async () => opened(await embedded())],
  ...(hasPostgres ? [['SqlBudgetStore on PostgreSQL', async () => opened(await postgres())] as const] : []),
];

describe.each<readonly [string, () => Promise<BudgetAccounts>]>([
  ...stores,
  ['BudgetLedger on SQLite', async () => openedLedger(await embedded())],
])('%s (contract/limits.md#budgets)', (_name, open) => {
  it('holds what calls may take until as much as the limit is spent and held', async () => {
    const budgets = await open();
    const made = ['one', 'two', 'three', 'four'].map((id) => budgets.hold(id, [hold()], now));
    // Which of the four is refused is open.
    expect((await Promise.all(made)).toSorted()).toEqual([false, true, true, true]);
    expect(await budgets.uses(['ann', 'bob'], now)).toEqual([
      { account: 'ann', spent: 0, held: 120, endsAt: now + day },
    ]);
  });

  // proves configuration-2-63
  it('holds all accounts of a call or none', async () => {
    const budgets = await open();
    await budgets.hold('one', [hold({ account: 'day', amount: 100 })], now);
    expect(await budgets.hold('two', [hold(), hold({ account: 'day' })], now)).toBe(false);
    expect(await budgets.uses(['ann'], now)).toEqual([]);
  });

  it('never refuses an account without a limit', async () => {
    const budgets = await open();
    await budgets.hold('one', [hold({ amount: 1_000 })], now);
    expect(await budgets.hold('two', [hold({ below: undefined })], now)).toBe(true);
  });

  it('settles what a call has spent, once', async () => {
    const budgets = await open();
    await budgets.hold('one', [hold(), hold({ account: 'day', amount: 7 })], now);
    const spent = [
      { account: 'ann', amount: 15 },
      { account: 'day', amount: 3 },
    ];
    await budgets.settle('one', spent);
    await budgets.settle('one', spent);
    await budgets.settle('unknown', spent);
    expect((await budgets.uses(['ann', 'day'], now)).toSorted((a, b) => a.account.localeCompare(b.account))).toEqual([
      { account: 'ann', spent: 15, held: 0, endsAt: now + day },
      { account: 'day', spent: 3, held: 0, endsAt: now + day },
    ]);
  });

  // proves configuration-2-64
  it('begins anew once the window is over, and counts no call of the window before', async () => {
    const budgets = await open();
    await budgets.hold('early', [hold({ amount: 100 })], now);
    const later = now + day;
    expect(await budgets.uses(['ann'], later)).toEqual([]);
    expect(await budgets.hold('late', [hold({ endsAt: later + day })], later)).toBe(true);
    await budgets.settle('early', [{ account: 'ann', amount: 99 }]);
    expect(await budgets.uses(['ann'], later)).toEqual([{ account: 'ann', spent: 0, held: 40, endsAt: later + day }]);
  });
});

describe.each(stores)('%s, once a day (contract/limits.md#budgets)', (_name, open) => {
  // proves configuration-2-77
  it('deletes accounts whose window is over, and no other', async () => {
    const budgets = await open();
    await budgets.hold('one', [hold({ account: 'old', endsAt: now + 1 }), hold()], now);
    expect(await budgets.purge(now + 2)).toBe(1);
    expect(await budgets.hold('two', [hold({ account: 'old', below: 1, endsAt: now + 9 })], now)).toBe(true);
    expect((await budgets.uses(['ann'], now)).length).toBe(1);
  });
});

// proves configuration-2-68
it('counts what an earlier process has left held as spent (contract/limits.md#budgets)', async () => {
  const storage = await embedded();
  const before = await openStores(storage);
  await before.budgets.hold('one', [hold()], now);
  await before.budgets.settle('one', [{ account: 'ann', amount: 10 }]);
  await before.budgets.hold('two', [hold()], now);
  await before.journal.close();
  const budgets = await opened(storage);
  expect(await budgets.countLeftBehind()).toBe(1);
  expect(await budgets.countLeftBehind()).toBe(0);
  expect(await budgets.uses(['ann'], now)).toEqual([{ account: 'ann', spent: 50, held: 0, endsAt: now + day }]);
});
