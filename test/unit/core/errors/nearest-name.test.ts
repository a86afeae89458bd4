import { describe, expect, it } from 'vitest';
import { nearestName } from '../../../../src/core/errors/nearest-name.ts';

describe('nearestName (contract/configuration.md#faults)', () => {
  const known = ['readOnly', 'requiredRoles', 'requiresConfirmation', 'title'];

  it.each([
    ['a letter too few', 'requiredRole', 'requiredRoles'],
    ['a letter too many', 'readdOnly', 'readOnly'],
    ['two letters swapped', 'tilte', 'title'],
    ['another case', 'readonly', 'readOnly'],
    ['nothing like any of them', 'colour', undefined],
    ['nothing at all', '', undefined],
    ['far too long to be a slip', 'title'.repeat(1000), undefined],
  ])('%s', (_title, typed, expected) => {
    expect(nearestName(typed, known)).toBe(expected);
  });

  it('knows nothing where nothing is known', () => {
    expect(nearestName('x', [])).toBeUndefined();
  });
});
