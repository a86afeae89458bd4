import type { Rule } from './rule.ts';

/**
 * A saved conversation can be put back later, and the journal must still know its questions then
 * (contract/operations.md#retention).
 */
export const retentionRule: Rule = ({ retention, dataProtection }) => {
  if (retention.journal >= dataProtection.maxAge) return [];
  return [
    {
      path: ['retention', 'journal'],
      message:
        'is shorter than dataProtection.maxAge: a saved conversation could be put back whose questions are forgotten',
    },
  ];
};
