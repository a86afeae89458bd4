import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryBudgetStore } from '../../../../src/adapters/stores/in-memory/in-memory-budget-store.ts';
import { BudgetLedger } from '../../../../src/core/budgets/budget-ledger.ts';
import type { BudgetAccounts, BudgetHold } from '../../../../src/core/ports/budget-store.ts';
import { recordingLogger } from '../../../support/quiet.ts';

const now = 1_000_000;
const day = 86_400_000;
const accounts = ['ann', 'day'];

const hold = (account: string, amount: number, below: number | undefined, at = now): BudgetHold => ({
  ...{ account, amount, below, endsAt: at + day },
});

function ledgerOver(store: BudgetAccounts): BudgetLedger {
  const ledger = new BudgetLedger({ store, log: recordingLogger() });
  onTestFinished(() => ledger.close());
  return ledger;
}

async function totals(store: BudgetAccounts, at = now): Promise<ReadonlyMap<string, number>> {
  return new Map((await store.uses(accounts, at)).map(({ account, spent, held }) => [account, spent + held]));
}

/** Lets the second pass after which the store learns what was really spent. */
async function written(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1_000);
}

const command = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), amount: fc.integer({ min: 1, max: 60 }), isOfDay: fc.boolean() }),
  fc.record({ kind: fc.constant('settle' as const), which: fc.nat(20), amount: fc.integer({ min: 0, max: 80 }) }),
  fc.record({ kind: fc.constant('write' as const) }),
  fc.record({ kind: fc.constant('window' as const) }),
);

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

describe('a ledger of budgets (contract/limits.md#budgets)', () => {
  // proves configuration-2-68
  it('decides as the store would, and the store never counts less than was spent and is held', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 60 }),
        fc.integer({ min: 50, max: 3_000 }),
        async (commands, below) => {
          const [plain, covered] = [new InMemoryBudgetStore(), new InMemoryBudgetStore()];
          const ledger = new BudgetLedger({ store: covered, log: recordingLogger() });
          const open: { readonly id: string; readonly of: readonly string[] }[] = [];
          let at = now;
          for (const [index, each] of commands.entries()) {
            const id = String(index);
            if (each.kind === 'hold') {
              const of = each.isOfDay ? accounts : ['ann'];
              const holds = of.map((account) => hold(account, each.amount, account === 'day' ? undefined : below, at));
              const isHeld = await ledger.hold(id, holds, at);
              expect(isHeld).toBe(await plain.hold(id, holds, at));
              if (isHeld) open.push({ id, of });
            } else if (each.kind === 'write') {
              await written();
            } else if (each.kind === 'window') {
              at += day / 2;
            } else {
              const [settled] = open.splice(each.which % Math.max(1, open.length), 1);
              const spent = settled?.of.map((account) => ({ account, amount: each.amount })) ?? [];
              for (const store of [ledger, plain]) await store.settle(settled?.id ?? 'none', spent);
            }
            expect(await ledger.uses(accounts, at)).toEqual(await plain.uses(accounts, at));
            const [known, real] = [await totals(covered, at), await totals(plain, at)];
            for (const [account, amount] of real) expect(known.get(account)).toBeGreaterThanOrEqual(amount);
          }
          for (const { id } of open) for (const store of [ledger, plain]) await store.settle(id, []);
          await ledger.close();
          expect(await covered.uses(accounts, at)).toEqual(await plain.uses(accounts, at));
        },
      ),
    );
  });

  it('asks the store once for many calls, while much is left', async () => {
    const store = new InMemoryBudgetStore();
    const held = vi.spyOn(store, 'hold');
    const ledger = ledgerOver(store);
    for (let call = 0; call < 34; call += 1) {
      await ledger.hold(String(call), [hold('ann', 10, 100_000)], now);
      await ledger.settle(String(call), [{ account: 'ann', amount: 10 }]);
    }
    expect(held).toHaveBeenCalledTimes(2);
  });

  // proves configuration-2-68
  it('leaves at most a twentieth of what was left counted, when its process is killed', async () => {
    const store = new InMemoryBudgetStore();
    const ledger = ledgerOver(store);
    await ledger.hold('one', [hold('ann', 100, 1_000)], now);
    await ledger.settle('one', [{ account: 'ann', amount: 20 }]);
    expect((await totals(store)).get('ann')).toBe(100 + 45);
    await written();
    expect((await totals(store)).get('ann')).toBe(20);
  });

  // proves configuration-2-68
  it('covers nothing ahead where no limit says how much is left', async () => {
    const store = new InMemoryBudgetStore();
    await ledgerOver(store).hold('one', [hold('ann', 100, undefined)], now);
    expect((await totals(store)).get('ann')).toBe(100);
  });

  // proves configuration-2-76
  it('meets a limit that a reload has lowered below what is covered', async () => {
    const ledger = ledgerOver(new InMemoryBudgetStore());
    await ledger.hold('one', [hold('ann', 10, 100_000)], now);
    expect(await ledger.hold('two', [hold('ann', 10, 10)], now)).toBe(false);
    expect(await ledger.hold('three', [hold('ann', 10, 11)], now)).toBe(true);
  });

  it('covers what a call has taken beyond its hold before it is settled, while other calls begin', async () => {
    const store = new InMemoryBudgetStore();
    const ledger = ledgerOver(store);
    await ledger.hold('one', [hold('ann', 10, undefined)], now);
    const settling = ledger.settle('one', [{ account: 'ann', amount: 500 }]);
    const beginning = ledger.hold('two', [hold('ann', 30, undefined)], now);
    await settling;
    expect((await totals(store)).get('ann')).toBeGreaterThanOrEqual(500);
    await beginning;
    expect((await totals(store)).get('ann')).toBeGreaterThanOrEqual(530);
  });

  it('covers what a call has taken for which nothing was held', async () => {
    const store = new InMemoryBudgetStore();
    const ledger = ledgerOver(store);
    await ledger.hold('one', [hold('ann', 0, 1_000)], now);
    await ledger.settle('one', [{ account: 'ann', amount: 70 }]);
    expect((await totals(store)).get('ann')).toBe(70);
    await ledger.close();
    expect(await store.uses(['ann'], now)).toMatchObject([{ spent: 70, held: 0 }]);
  });

  // proves configuration-2-68
  it('holds no more in the store than calls need that are under way, however many begin while it writes', async () => {
    const store = new InMemoryBudgetStore();
    const ledger = ledgerOver(store);
    for (const id of ['long', '0']) await ledger.hold(id, [hold('ann', 10, 1_000_000)], now);
    const asked = store.hold.bind(store);
    let calls = 0;
    // Whenever the ledger holds something in the store, one more call has begun by the time the store has done so.
    vi.spyOn(store, 'hold').mockImplementation(async (...all) => {
      const isHeld = await asked(...all);
      calls += 1;
      void ledger.hold(String(calls), [hold('ann', 10, 1_000_000)], now);
      return isHeld;
    });
    for (let second = 0; second < 200; second += 1) {
      await ledger.settle(String(calls), [{ account: 'ann', amount: 1 }]);
      await written();
    }
    const [use] = await ledger.uses(['ann'], now);
    expect(calls).toBeGreaterThan(100);
    const real = (use?.spent ?? 0) + (use?.held ?? 0);
    expect((await totals(store)).get('ann')).toBeGreaterThanOrEqual(real);
    expect((await totals(store)).get('ann')).toBeLessThan(real + 300);
  });

  it('gives back within two seconds what a rush has taken, though a call begins while it writes', async () => {
    const store = new InMemoryBudgetStore();
    const ledger = ledgerOver(store);
    const ids = Array.from({ length: 100 }, (_, call) => String(call));
    for (const id of ids) await ledger.hold(id, [hold('ann', 100, 20_000)], now);
    for (const id of ids.slice(1)) await ledger.settle(id, [{ account: 'ann', amount: 1 }]);
    const asked = store.hold.bind(store);
    vi.spyOn(store, 'hold').mockImplementationOnce(async (...all) => {
      const isHeld = await asked(...all);
      await ledger.hold('long', [hold('ann', 200, 20_000)], now);
      return isHeld;
    });
    await written();
    await written();
    expect((await totals(store)).get('ann')).toBe(99 + 100 + 200);
  });

  it('knows an account again that had to make room for others', async () => {
    const ledger = ledgerOver(new InMemoryBudgetStore());
    await ledger.hold('one', [hold('ann', 60, 100)], now);
    await ledger.settle('one', [{ account: 'ann', amount: 60 }]);
    await ledger.hold('two', [hold('bob', 60, 100)], now);
    await written();
    for (let user = 0; user < 11_000; user += 1) await ledger.uses([`user ${String(user)}`], now);
    expect(await ledger.uses(['ann', 'bob'], now)).toMatchObject([
      { account: 'ann', spent: 60, held: 0 },
      { account: 'bob', spent: 0, held: 60 },
    ]);
    await ledger.settle('two', [{ account: 'bob', amount: 5 }]);
    expect(await ledger.uses(['bob'], now)).toMatchObject([{ spent: 5, held: 0 }]);
  });
});
