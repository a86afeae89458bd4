import { describe, expect, it } from 'vitest';
import { isCrowded } from '../../../../src/channels/shared/crowded-json.ts';

describe('a body of many lists and objects (contract/addresses.md#requests)', () => {
  // proves service-4.2-41
  it('is one with more than 20,000 of them, and brackets in texts are none', () => {
    const of = (count: number, item: unknown): string => JSON.stringify(Array.from({ length: count - 1 }, () => item));
    expect([isCrowded(of(20_000, {})), isCrowded(of(20_001, {})), isCrowded(of(20_001, []))]).toEqual([
      false,
      true,
      true,
    ]);
    expect(isCrowded(of(60_000, '{"[\\'))).toBe(false);
    expect(isCrowded(JSON.stringify({ text: '[{'.repeat(50_000) }))).toBe(false);
    expect(isCrowded(JSON.stringify({ text: '\\"['.repeat(50_000), more: ['\\', '[{'] }))).toBe(false);
    expect(isCrowded(`["\\\\",${'{},'.repeat(30_000)}{}]`)).toBe(true);
    expect(isCrowded(`"${'\\'.repeat(200_000)}`)).toBe(false);
  });
});
