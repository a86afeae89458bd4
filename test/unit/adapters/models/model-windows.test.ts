import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KnownWindow } from '../../../../src/adapters/models/model-windows.ts';

const minuteMs = 60_000;
const none = { told: Infinity, tooMany: Infinity };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the limit that a refusal tells (contract/models.md#the-context-window)', () => {
  // proves service-11-66
  it('is believed for 10 minutes, the smallest of several', () => {
    const known = new KnownWindow();
    known.learn({ told: 8_000, tooMany: Infinity });
    vi.advanceTimersByTime(9 * minuteMs);
    known.learn({ told: 9_000, tooMany: 6_000 });
    expect(known.limit).toEqual({ told: 8_000, tooMany: 6_000 });
    vi.advanceTimersByTime(11 * minuteMs);
    expect(known.limit).toEqual(none);
  });

  // proves service-11-66
  it('is not believed where the model has taken more, before or after', () => {
    const known = new KnownWindow();
    known.took(5_000);
    known.learn({ told: 3_000, tooMany: 4_000 });
    expect(known.limit).toEqual(none);
    known.learn({ told: 8_000, tooMany: 7_000 });
    known.took(7_500);
    expect(known.limit).toEqual({ told: 8_000, tooMany: Infinity });
  });
});
