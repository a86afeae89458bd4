import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisSteps, labelled, stretches } from '../../../src/dashboard/charts/scale.ts';

describe('the axes of a chart', () => {
  it.each([
    [7, 0, [0, 2, 4, 6, 8]],
    [1000, 0, [0, 250, 500, 750, 1000]],
    [0.012, 0, [0, 0.005, 0.01, 0.015]],
    [1, 1, [0, 1]],
    [0, 1, [0, 1]],
  ])('go up to %s by round steps', (highest, least, steps) => {
    expect(axisSteps(highest, least)).toEqual(steps);
  });

  it('cover every value with two to six lines', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (highest) => {
        const steps = axisSteps(highest);
        expect(steps.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
        expect(steps.length).toBeGreaterThanOrEqual(2);
        expect(steps.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  it('have labels at even distances, no more than fit', () => {
    expect(labelled(24, 7)).toEqual([0, 4, 8, 12, 16, 20]);
    expect(labelled(2, 7)).toEqual([0, 1]);
    expect(labelled(168, 0)).toEqual([0]);
  });

  it('interrupt a line where there is no value', () => {
    expect(stretches([null, 1, 2, null, 3])).toEqual([
      [
        [1, 1],
        [2, 2],
      ],
      [[4, 3]],
    ]);
    expect(stretches([null])).toEqual([]);
  });
});
