import { describe, expect, it } from 'vitest';
import { budget, testBudgets } from '../../../support/test-budgets.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const midnight = Date.parse('2026-11-23T00:00:00Z');
const one = { isOfMany: false };

describe('the budgets on the dashboard (contract/operations.md#dashboard)', () => {
  // proves service-13-20
  it('say what everybody, and what all with a role, have spent and hold; users spend by themselves', async () => {
    const together = [budget({ per: 'day' }), budget({ per: 'role', role: 'Trial', unit: 'cost' }), budget()];
    const { budgets } = testBudgets({ budgets: together, now: () => now });
    const spender = { userKey: 'ann', roles: new Set(['Trial']), tenant: undefined, conversationId: 'c1' };
    const { signal } = new AbortController();
    const first = await budgets.hold(spender, { asked: { tokens: 30, cost: 7 } }, signal);
    if ('held' in first) await budgets.settle(first.held, { tokens: 20, cost: 5 });
    await budgets.hold(spender, { asked: { tokens: 11, cost: 2 } }, signal);
    const seen = await budgets.overview(undefined, one);
    expect(seen.map(({ budget: { per }, use }) => [per, use])).toEqual([
      ['day', { spent: 20, held: 11, endsAt: midnight }],
      ['role', { spent: 5, held: 2, endsAt: now + 86_400_000 }],
      ['user', undefined],
    ]);
  });

  // proves service-13-20
  it('are those of the tenant alone, and of many tenants have no sum', async () => {
    const given = [budget({ per: 'day', tenants: ['acme-*'] }), budget({ per: 'day', limit: 5 })];
    const { budgets } = testBudgets({ budgets: given, now: () => now });
    const limits = async (tenant: string) =>
      (await budgets.overview(tenant, one)).map(({ budget: { limit } }) => limit);
    expect(await limits('acme-1')).toEqual([100, 5]);
    expect(await limits('other')).toEqual([5]);
    expect(await budgets.overview(undefined, { isOfMany: true })).toEqual(given.map((each) => ({ budget: each })));
  });
});
