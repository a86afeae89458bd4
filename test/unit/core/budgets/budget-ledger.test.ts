import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryBudgetStore } from '../../../../src/adapters/stores/in-memory/in-memory-budget-store.ts';
import { BudgetLedger } from '../../../../src/core/budgets/budget-ledger.ts';
import type { BudgetHold, BudgetStore } from '../../../../src/core/ports/budget-store.ts';
import { recordingLogger } from '../../../support/quiet.ts';

const now = 1_000_000;
const endsAt = now + 86_400_000;
const accounts = ['ann', 'day'];

const hold = (account: string, amount: number, below: number | undefined): BudgetHold => ({
  ...{ account, amount, below, endsAt },
});

function ledgerOver(store: BudgetStore) {
  const log = recordingLogger();
  const ledger = new BudgetLedger({ store, log });
  onTestFinished(() => ledger.close());
  return { ledger, log };
}

const totals = async (store: BudgetStore): Promise<ReadonlyMap<string, number>> =>
  new Map((await store.uses(accounts, now)).map(({ account, spent, held }) => [account, spent + held]));

const command = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), amount: fc.integer({ min: 1, max: 60 }), isOfDay: fc.boolean() }),
  fc.record({ kind: fc.constant('settle' as const), which: fc.nat(20), amount: fc.integer({ min: 0, max: 80 }) }),
  fc.record({ kind: fc.constant('write' as const) }),
);

describe('a ledger of budgets (contract/limits.md#budgets)', () => {
  it('decides as the store would, and the store never counts less than was spent and is held', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 60 }),
        fc.integer({ min: 50, max: 3_000 }),
        async (commands, below) => {
          const [plain, covered] = [new InMemoryBudgetStore(), new InMemoryBudgetStore()];
          const ledger = new BudgetLedger({ store: covered, log: recordingLogger() });
          const open: { readonly id: string; readonly of: readonly string[] }[] = [];
          for (const [index, each] of commands.entries()) {
            const id = String(index);
            if (each.kind === 'hold') {
              const of = each.isOfDay ? accounts : ['ann'];
              const holds = of.map((account) => hold(account, each.amount, account === 'day' ? undefined : below));
              const isHeld = await ledger.hold(id, holds, now);
              expect(isHeld).toBe(await plain.hold(id, holds, now));
              if (isHeld) open.push({ id, of });
            } else if (each.kind === 'write') {
              await ledger.close();
            } else {
              const [settled] = open.splice(each.which % Math.max(1, open.length), 1);
              const spent = settled?.of.map((account) => ({ account, amount: each.amount })) ?? [];
              for (const store of [ledger, plain]) await store.settle(settled?.id ?? 'none', spent);
            }
            expect(await ledger.uses(accounts, now)).toEqual(await plain.uses(accounts, now));
            const [known, real] = [await totals(covered), await totals(plain)];
            for (const [account, amount] of real) expect(known.get(account)).toBeGreaterThanOrEqual(amount);
          }
          for (const { id } of open) for (const store of [ledger, plain]) await store.settle(id, []);
          await ledger.close();
          expect(await covered.uses(accounts, now)).toEqual(await plain.uses(accounts, now));
        },
      ),
    );
  });

  it('asks the store once for many calls, while much is left', async () => {
    const store = new InMemoryBudgetStore();
    const held = vi.spyOn(store, 'hold');
    const { ledger } = ledgerOver(store);
    for (let call = 0; call < 34; call += 1) {
      await ledger.hold(String(call), [hold('ann', 10, 100_000)], now);
      await ledger.settle(String(call), [{ account: 'ann', amount: 10 }]);
    }
    expect(held).toHaveBeenCalledTimes(2);
  });

  it('leaves at most a twentieth of what was left counted, when its process is killed', async () => {
    const store = new InMemoryBudgetStore();
    const { ledger } = ledgerOver(store);
    await ledger.hold('one', [hold('ann', 100, 1_000)], now);
    await ledger.settle('one', [{ account: 'ann', amount: 20 }]);
    expect((await totals(store)).get('ann')).toBe(100 + 45);
  });

  it('makes no call that the store cannot cover, and holds nothing for it', async () => {
    const store = new InMemoryBudgetStore();
    const { ledger } = ledgerOver(store);
    const fails = vi.spyOn(store, 'hold').mockRejectedValue(new Error('the disk is full'));
    await expect(ledger.hold('one', [hold('ann', 10, 100)], now)).rejects.toThrow('the disk is full');
    expect(await ledger.uses(['ann'], now)).toMatchObject([{ spent: 0, held: 0 }]);
    fails.mockRestore();
    expect(await ledger.hold('two', [hold('ann', 10, 100)], now)).toBe(true);
  });

  it('goes on counting what it has covered where the store cannot take what was spent, and says so', async () => {
    const store = new InMemoryBudgetStore();
    const { ledger, log } = ledgerOver(store);
    await ledger.hold('one', [hold('ann', 100, 1_000)], now);
    await ledger.settle('one', [{ account: 'ann', amount: 20 }]);
    vi.spyOn(store, 'settle').mockRejectedValue(new Error('the disk is full'));
    await ledger.close();
    expect(log.lines.map(({ message }) => message)).toEqual([
      'what was spent of a budget could not be stored: more than that counts',
    ]);
    expect((await totals(store)).get('ann')).toBeGreaterThanOrEqual(20);
  });
});
