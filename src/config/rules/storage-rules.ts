import type { Rule } from './rule.ts';

/** A saved conversation can be put back, and its questions must be known then (contract/operations.md#retention). */
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
