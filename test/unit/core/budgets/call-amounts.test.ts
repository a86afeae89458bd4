import { describe, expect, it } from 'vitest';
import { tokenxCounter } from '../../../../src/adapters/tokens/tokenx-counter.ts';
import { amountsOf, mostOf } from '../../../../src/core/budgets/call-amounts.ts';
import { TokenEstimates } from '../../../../src/core/history/token-estimates.ts';
import { pngOf } from '../../../support/images.ts';
import { bounds } from '../../../support/test-budgets.ts';

const estimates = new TokenEstimates(tokenxCounter);
const request = {
  instructions: 'You help.',
  messages: [{ role: 'user', text: 'word '.repeat(100) }],
  tools: [],
} as const;
const ofInput = mostOf([bounds({ maxOutputTokens: 0 })], request, estimates).tokens;

describe('what a call may take at most (contract/limits.md#budgets)', () => {
  // proves configuration-2-65
  it('is its input as it is estimated, and the longest answer of the model', () => {
    expect(ofInput).toBeGreaterThan(100);
    expect(ofInput).toBeLessThan(150);
    expect(mostOf([bounds({ maxOutputTokens: 2_000 })], request, estimates).tokens).toBe(ofInput + 2_000);
  });

  // proves configuration-2-65
  it.each([
    ['4096 tokens', 128_000, 4_096],
    ['an eighth of a small window', 8_000, 1_000],
  ])('reckons without maxOutputTokens with an answer of %s', (_name, contextWindow, answer) => {
    const most = mostOf([bounds({ maxOutputTokens: undefined, contextWindow })], request, estimates);
    expect(most.tokens).toBe(ofInput + answer);
  });

  it('is no more than the window of the model', () => {
    expect(mostOf([bounds({ contextWindow: 100 })], request, estimates).tokens).toBe(100);
  });

  // proves configuration-2-65
  it('is the whole window where the provider has tools of its own, since nobody knows what they will find', () => {
    const hosted = { tools: [{ name: 'WebSearch', options: {} }], allowedDomains: [], servers: [] } as const;
    const window = bounds({ contextWindow: 8_000, maxOutputTokens: 1_000 });
    expect(mostOf([window], { ...request, hosted }, estimates).tokens).toBe(8_000);
  });

  // proves configuration-2-93
  it('has room for the largest count of its pictures, whatever the estimates of texts have come to', () => {
    const learned = new TokenEstimates(tokenxCounter);
    learned.learn(bounds().model, 1_000, 100);
    const image = { name: 'a.png', mediaType: 'image/png', data: pngOf(2_800, 2_800) } as const;
    const [message] = request.messages;
    const most = mostOf([bounds()], { ...request, messages: [{ ...message, images: [image, image] }] }, learned);
    expect(most.tokens).toBe(mostOf([bounds()], request, learned).tokens + 20_000);
  });

  it('is that of the dearest of a model and its fallbacks', () => {
    const [cheap, dear] = [1, 10].map((price) => bounds({ price: { inputPer1M: price, outputPer1M: price } }));
    const most = mostOf(
      [cheap, dear].flatMap((one) => one ?? []),
      request,
      estimates,
    );
    expect(most).toEqual({ tokens: ofInput + 50, cost: (ofInput + 50) * 10_000 });
  });

  // proves configuration-2-61
  it('is counted in whole billionths of the currency', () => {
    const price = { inputPer1M: 0.0001, outputPer1M: 3 };
    expect(amountsOf({ price }, { inputTokens: 1, outputTokens: 0 }).cost).toBe(1);
    expect(amountsOf({ price }, { inputTokens: 0, outputTokens: 2 }).cost).toBe(6_000);
  });
});
