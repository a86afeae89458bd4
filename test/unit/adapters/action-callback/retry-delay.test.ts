import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../../../src/adapters/action-callback/retry-delay.ts';

describe('a manifest that never came (contract/plugins.md#callbacks)', () => {
  // proves wire-10-14
  it('is asked for again after 1, 2, 4 and at last every 30 seconds', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 2000].map((failures) => retryDelay(failures, 300_000));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is asked for no more rarely than one that is there', () => {
    expect([1, 2, 9].map((failures) => retryDelay(failures, 1_500))).toEqual([1_000, 1_500, 1_500]);
  });
});
