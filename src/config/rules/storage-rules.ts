import type { Rule } from './rule.ts';

/**
 * The journal must be kept at least as long as snapshots are valid. Users can restore a saved conversation until then, and the journal must
 * still know its questions (contract/operations.md#retention).
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

/** PostgreSQL has an address (contract/configuration.md#faults). */
export const storageUrlRule: Rule = ({ storage }) => {
  // The type of settings says what this rule guarantees.
  const { type, url }: { readonly type: string; readonly url: string | null } = storage;
  if (type !== 'postgres' || url !== null) return [];
  return [{ path: ['storage', 'url'], message: 'is missing: storage.type postgres needs the address of the database' }];
};
