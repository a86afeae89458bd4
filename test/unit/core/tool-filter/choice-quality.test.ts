import { describe, expect, it } from 'vitest';
import { shareFound } from '../../../support/tool-choice.ts';

describe('200 tools with examples, by words alone (contract/tool-filter.md#choice)', () => {
  // proves service-11-06
  it('have the tool that a question is for among 20, at least 85 times in 100', async () => {
    const found = await shareFound({ examples: true, maxTools: 20 });
    expect(found.usual).toBeGreaterThanOrEqual(0.85);
    expect(found.everyday).toBeGreaterThanOrEqual(0.85);
  });

  // proves service-11-06
  it('are found more often than without examples', async () => {
    const [bare, told] = [
      await shareFound({ examples: false, maxTools: 20 }),
      await shareFound({ examples: true, maxTools: 20 }),
    ];
    expect(told.everyday - bare.everyday).toBeGreaterThan(0.2);
    expect(told.usual).toBeGreaterThanOrEqual(bare.usual);
  });
});
