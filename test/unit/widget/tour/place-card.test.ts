import { describe, expect, it } from 'vitest';
import { placeCard } from '../../../../src/widget/tour/place-card.ts';

const screen = { width: 1000, height: 800 };
const card = { width: 300, height: 200 };
const target = (x: number, y: number, width = 100, height = 40) => ({ x, y, width, height });

describe('where a step of the tour stands (contract/widget.md#tour, placement)', () => {
  it.each([
    ['below, where nothing is wanted', target(400, 300), undefined, { x: 300, y: 354 }],
    ['above', target(400, 300), 'top', { x: 300, y: 86 }],
    ['on the left', target(400, 300), 'left', { x: 86, y: 220 }],
    ['on the right', target(400, 300), 'right', { x: 514, y: 220 }],
    ['elsewhere, where the wanted side has no room', target(20, 300), 'left', { x: 8, y: 354 }],
    ['above, where there is none below', target(400, 740), undefined, { x: 300, y: 526 }],
    ['inside the screen, beside an element at its edge', target(960, 300), 'bottom', { x: 692, y: 354 }],
    ['beside a tall element', target(0, 0, 200, 800), undefined, { x: 214, y: 300 }],
    ['at the end of the screen, where no side has room', target(0, 0, 1000, 700), undefined, { x: 350, y: 592 }],
    ['at its beginning, where the element is low', target(0, 120, 1000, 680), undefined, { x: 350, y: 8 }],
  ] as const)('%s', (_title, element, wanted, expected) => {
    expect(placeCard(element, { card, screen, wanted })).toEqual(expected);
  });
});
