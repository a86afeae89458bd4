import { describe, expect, it } from 'vitest';
import type { Reader } from '../../../../src/core/identity/may-read.ts';
import type { KeptSource, Restriction } from '../../../../src/core/events/shown-event.ts';
import { sourcesFor } from '../../../../src/core/knowledge/readable-sources.ts';

const reader = (roles: readonly string[], tenant?: string): Reader => ({ roles: new Set(roles), tenant });

function source(number: number, access?: readonly Restriction[]): KeptSource {
  const told = { number, id: `d${String(number)}`, title: 'Title', score: 5, kind: 'document' as const };
  return access === undefined ? told : { ...told, access };
}

describe('the sources of a reply that a reader may read (contract/knowledge.md#access)', () => {
  const sources = [
    source(1),
    source(2, [{ requiredRoles: ['HR', 'boss'] }]),
    source(3, [{ requiredRoles: ['HR'] }, { requiredRoles: ['boss'] }]),
    source(4, [{ tenants: ['north-*'] }]),
    source(5, [{ requiredRoles: ['HR'], tenants: ['north-*'] }]),
  ];

  // proves service-2.11-31
  it.each([
    ['nobody special', reader([]), [1]],
    ['one role', reader(['HR']), [1, 2]],
    ['both roles', reader(['HR', 'boss']), [1, 2, 3]],
    ['a tenant', reader([], 'north-1'), [1, 4]],
    ['another tenant', reader(['HR'], 'south-1'), [1, 2]],
    ['a role of a tenant', reader(['HR'], 'north-1'), [1, 2, 4, 5]],
  ])('are those whose every restriction lets the reader in, tenants included: %s', (_, who, numbers) => {
    const told = sourcesFor(sources, who);
    expect(told.map(({ number }) => number)).toEqual(numbers);
    expect(JSON.stringify(told)).not.toMatch(/access|requiredRoles|tenants/);
  });

  // proves wire-11-11
  it('are all of those that were kept before access was kept with them', () => {
    const kept = [source(1), source(2)];
    expect(sourcesFor(kept, reader([], 'south-1'))).toEqual(kept);
  });
});
