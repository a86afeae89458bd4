import type { Rule, RuleFault } from './rule.ts';

/** A budget counts one thing, for somebody who can be told apart (contract/limits.md#budgets). */
export const budgetsRule: Rule = ({ budgets }) =>
  budgets.flatMap(({ per, role, tokens, cost, window }, index): readonly RuleFault[] => {
    const path = ['budgets', index] as const;
    return [
      ...(tokens === undefined && cost === undefined ? [{ path, message: 'needs tokens or cost' }] : []),
      ...(tokens !== undefined && cost !== undefined
        ? [{ path: [...path, 'cost'], message: 'has tokens already: write a second budget for the cost' }]
        : []),
      ...(per === 'role' && role === undefined ? [{ path, message: 'needs role: whose users spend together' }] : []),
      ...(per === 'day' && window !== undefined
        ? [{ path: [...path, 'window'], message: 'has no effect with per: day, which is a day of UTC; remove it' }]
        : []),
    ];
  });
