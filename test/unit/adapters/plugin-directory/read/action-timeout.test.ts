import { describe, expect, it } from 'vitest';
import { parseActionTimeout } from '../../../../../src/adapters/plugin-directory/read/action-timeout.ts';

describe('parseActionTimeout (contract/plugins.md#actions, `timeout`)', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['24h', 86_400_000],
  ])('%s', (text, milliseconds) => {
    expect(parseActionTimeout(text)).toBe(milliseconds);
  });

  it.each(['', '30', '0s', '-1s', '1.5s', '30 s', '25h', '1d', '99999999999s', 'soon'])('%j is none', (text) => {
    expect(parseActionTimeout(text)).toBeUndefined();
  });
});
