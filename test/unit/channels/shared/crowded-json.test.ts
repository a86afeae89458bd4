import { describe, expect, it } from 'vitest';
import { crowd, isCrowded } from '../../../../src/channels/shared/crowded-json.ts';

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

  // proves wire-24-01
  it('is one with more than 2,000 members of an object, or more than 100,000 values', () => {
    const members = (count: number, value = '1'): string =>
      `{${Array.from({ length: count }, (_, at) => `"name ${String(at)}": ${value}`).join()}}`;
    expect(isCrowded(members(crowd.members))).toBe(false);
    expect(isCrowded(members(crowd.members + 1))).toBe(true);
    expect(isCrowded(`[[{"a":${members(crowd.members + 1, '"{,:,"')},"b":[]}]]`)).toBe(true);
    expect(isCrowded(members(2, members(crowd.members)))).toBe(false);
    expect(isCrowded(members(crowd.members, '{"a":[1,2,{"b":":,:,"}],"c":[]}'))).toBe(false);
    const numbers = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;
    expect([isCrowded(numbers(crowd.values - 1)), isCrowded(numbers(crowd.values + 1))]).toEqual([false, true]);
    expect(isCrowded(`{${'"":0,'.repeat(crowd.members)}"":0}`)).toBe(true);
  });

  it('is looked at, whatever brackets stand in it', () => {
    for (const sign of ']}[{:,"\\') expect(typeof isCrowded(sign.repeat(20_000))).toBe('boolean');
    expect(isCrowded(`${']'.repeat(20_000)}{${'"":0,'.repeat(crowd.members + 1)}`)).toBe(true);
  });
});
