import { describe, expect, it } from 'vitest';
import { OpenConnections } from '../../../../src/adapters/shared/open-connections.ts';

describe('the connections that are open (contract/operations.md#dashboard)', () => {
  it('have an average age, by channel, of those alone that are still open', () => {
    let now = 1000;
    const open = new OpenConnections(() => now);
    open.opened('hub');
    now += 60_000;
    open.opened('hub');
    open.opened('sse');
    now += 10_000;
    expect(open.averageAgeMs('hub')).toBe(40_000);
    expect(open.averageAgeMs('sse')).toBe(10_000);
    open.ended('hub', 70_000);
    expect([open.count('hub'), open.averageAgeMs('hub')]).toEqual([1, 10_000]);
    open.ended('hub', 10_000);
    expect([open.count('hub'), open.averageAgeMs('hub')]).toEqual([0, 0]);
    expect(open.channels).toEqual(['hub', 'sse']);
  });

  it('are none of a channel that has had none', () => {
    const open = new OpenConnections();
    open.ended('hub', 5);
    expect([open.channels, open.count('hub'), open.averageAgeMs('hub')]).toEqual([[], 0, 0]);
  });
});
