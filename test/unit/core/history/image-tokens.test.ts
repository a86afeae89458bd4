import { describe, expect, it } from 'vitest';
import { mostTokensOfImage } from '../../../../src/core/history/image-tokens.ts';
import { pngOf } from '../../../support/images.ts';

const most = (width: number, height: number): number =>
  mostTokensOfImage({ mediaType: 'image/png', data: pngOf(width, height) });

describe('the tokens of a picture, for budgets (contract/limits.md#budgets)', () => {
  // proves configuration-2-93
  it.each([
    ['GPT-4o', 1_024, 1_024, 765],
    ['GPT-4o', 2_048, 4_096, 1_105],
    ['GPT-4.1 nano', 1_024, 1_024, 2_520],
    ['GPT-4.1 nano', 1_800, 2_400, 3_572],
    ['GPT-5.4 with its most patches', 6_000, 4_000, 10_000],
    ['Claude', 1_092, 1_092, 1_521],
    ['Claude', 1_920, 1_080, 2_691],
    ['Claude with its most patches', 2_576, 1_449, 4_784],
    ['Gemini', 960, 540, 1_548],
    ['Gemini with long tiles', 16_000, 300, 258 * 63 * 2],
    ['Gemini 3, whatever the size', 20, 20, 1_120],
  ])('are no fewer than %s takes for %d by %d pixels, as its provider documents it', (_model, width, height, taken) => {
    expect(most(width, height)).toBeGreaterThanOrEqual(taken);
  });

  // proves configuration-2-93
  it('are 1,600 for a small picture, and follow the size of a large one', () => {
    expect([most(1, 1), most(700, 700), most(1_400, 700), most(2_800, 2_800)]).toEqual([1_600, 1_600, 3_075, 10_000]);
  });

  // proves configuration-2-93
  it('are those of the largest picture where the size cannot be read', () => {
    expect(mostTokensOfImage({ mediaType: 'image/png', data: '' })).toBe(10_000);
  });
});
