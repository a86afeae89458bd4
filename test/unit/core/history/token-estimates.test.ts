import { describe, expect, it } from 'vitest';
import { tokenxCounter } from '../../../../src/adapters/tokens/tokenx-counter.ts';
import { TokenEstimates } from '../../../../src/core/history/token-estimates.ts';
import { words } from '../../../support/histories.ts';
import { growth, mostGrowth } from '../../../support/growth.ts';

describe('TokenEstimates (contract/models.md#the-context-window)', () => {
  it('counts texts of several scripts about as models do', () => {
    const texts: readonly [string, number][] = [
      ['The quick brown fox jumps over the lazy dog, and then it goes home to sleep.', 18],
      ['Der schnelle braune Fuchs springt über den faulen Hund und läuft nach Hause.', 19],
      ['敏捷的棕色狐狸跳过懒狗。', 13],
    ];
    for (const [text, tokens] of texts) {
      expect(Math.abs(tokenxCounter(text) - tokens) / tokens).toBeLessThan(0.35);
    }
  });

  it('counts each message once', () => {
    const counted: string[] = [];
    const estimates = new TokenEstimates((text) => counted.push(text));
    const message = { role: 'user', text: 'hello' } as const;
    expect(estimates.ofMessage(message)).toBe(estimates.ofMessage(message));
    expect(counted).toEqual(['hello']);
  });

  // proves configuration-3-68
  it('follows what each model reports, step by step', () => {
    const estimates = new TokenEstimates(tokenxCounter);
    expect(estimates.factor('one')).toBe(1);
    estimates.learn('one', 1000, 1200);
    expect(estimates.factor('one')).toBeCloseTo(1.2);
    estimates.learn('one', 1000, 1000);
    expect(estimates.factor('one')).toBeCloseTo(1.14);
    expect(estimates.factor('other')).toBe(1);
  });

  it('lets no report move an estimate further than from 0.8 to 2 times', () => {
    const estimates = new TokenEstimates(tokenxCounter);
    estimates.learn('low', 1000, 1);
    estimates.learn('high', 1000, 1_000_000);
    expect([estimates.factor('low'), estimates.factor('high')]).toEqual([0.8, 2]);
  });

  it.each([
    ['a small request', 199, 400],
    ['a model that reports nothing', 1000, 0],
    ['a model that reports nonsense', 1000, Number.NaN],
  ])('learns nothing from %s', (_title, estimated, reported) => {
    const estimates = new TokenEstimates(tokenxCounter);
    estimates.learn('one', estimated, reported);
    expect(estimates.factor('one')).toBe(1);
  });

  it('remembers a hundred models', () => {
    const estimates = new TokenEstimates(tokenxCounter);
    for (let index = 0; index <= 100; index += 1) estimates.learn(`model ${String(index)}`, 1000, 1500);
    expect([estimates.factor('model 0'), estimates.factor('model 1')]).toEqual([1, 1.5]);
  });

  it('counts a long hostile text in a moment', () => {
    for (const text of [
      (size: number) => 'a'.repeat(size),
      (size: number) => words(size / 4),
      (size: number) => '!?'.repeat(size / 2),
      (size: number) => '\n'.repeat(size),
    ])
      expect(growth(65_536, (size) => tokenxCounter(text(size)))).toBeLessThan(mostGrowth);
  });
});
