import { describe, expect, it } from 'vitest';
import { UsedTokens } from '../../../../../../src/channels/hub/protocol/transports/used-tokens.ts';

describe('UsedTokens (contract/hub.md#protocol: a token opens one connection)', () => {
  it('lets a token be spent once while it is valid', () => {
    const clock = { now: 0 };
    const used = new UsedTokens({ lifetimeMs: 10, capacity: 5, now: () => clock.now });
    expect(used.spend('a')).toBe('ok');
    clock.now = 10;
    expect(used.spend('a')).toBe('used');
  });

  it('holds a bounded number, refuses when full, and forgets what has expired', () => {
    const clock = { now: 0 };
    const used = new UsedTokens({ lifetimeMs: 10, capacity: 2, now: () => clock.now });
    expect([used.spend('a'), used.spend('b'), used.spend('c')]).toEqual(['ok', 'ok', 'full']);
    clock.now = 11;
    expect(used.spend('c')).toBe('ok');
  });
});
