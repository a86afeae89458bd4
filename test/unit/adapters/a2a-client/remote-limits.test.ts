import { describe, expect, it } from 'vitest';
import { BackOff } from '../../../../src/adapters/shared/back-off.ts';
import { freshFor } from '../../../../src/adapters/a2a-client/fresh-for.ts';
import { remoteLimits } from '../../../../src/adapters/a2a-client/remote-limits.ts';

describe('the limits of remote agents (contract/agents.md#remote-agents)', () => {
  // proves service-2.18-12, service-2.18-13
  it('are those of the contract', () => {
    expect(remoteLimits).toMatchObject({ connectMs: 5_000, cardMs: 10_000, silenceMs: 60_000, totalMs: 300_000 });
    expect(remoteLimits).toMatchObject({ cardBytes: 262_144, answerBytes: 8_388_608, streamBytes: 67_108_864 });
    expect(remoteLimits).toMatchObject({ streamEvents: 50_000, replyLength: 1_048_576 });
  });

  // proves service-2.18-07
  it.each([
    ['', 300],
    ['no-cache', 300],
    ['max-age=600, no-store', 300],
    ['public, max-age=600', 600],
    ['max-age=0', 30],
    ['max-age=999999999', 3_600],
    ['s-maxage=600', 300],
  ])('keep a card with Cache-Control "%s" for %s seconds', (cacheControl, seconds) => {
    expect(freshFor(cacheControl, remoteLimits.freshMs)).toBe(seconds * 1_000);
  });

  // proves service-2.18-16
  it('double the pause after each failure in a row, up to a minute', () => {
    let now = 0;
    const backOff = new BackOff(remoteLimits.pauseMs, () => now);
    expect(Array.from({ length: 9 }, () => backOff.failed() / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(backOff.leftMs).toBe(60_000);
    now = 60_000;
    expect(backOff.leftMs).toBe(0);
    backOff.succeeded();
    expect(backOff.failed()).toBe(1_000);
  });
});
