import type { TourStep } from '../../wire/tour.ts';

type Side = NonNullable<TourStep['placement']>;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const gap = 14;
const margin = 8;

/**
 * Where the card stands beside its element: on the wanted side, else on the first side with room. Without room on any side the card
 * stands at the end of the screen that leaves more of the element visible.
 */
export function placeCard(
  target: Box,
  { card, screen, wanted }: { readonly card: Size; readonly screen: Size; readonly wanted: Side | undefined },
): { readonly x: number; readonly y: number } {
  const [mostX, mostY] = [screen.width - card.width - margin, screen.height - card.height - margin];
  const clampX = (x: number): number => Math.max(margin, Math.min(x, mostX));
  const clampY = (y: number): number => Math.max(margin, Math.min(y, mostY));
  const middleX = clampX(target.x + (target.width - card.width) / 2);
  const middleY = clampY(target.y + (target.height - card.height) / 2);
  const places: Readonly<Record<Side, { readonly x: number; readonly y: number }>> = {
    bottom: { x: middleX, y: target.y + target.height + gap },
    top: { x: middleX, y: target.y - card.height - gap },
    right: { x: target.x + target.width + gap, y: middleY },
    left: { x: target.x - card.width - gap, y: middleY },
  };
  const sides: readonly Side[] = ['bottom', 'top', 'right', 'left'];
  for (const side of wanted === undefined ? sides : [wanted, ...sides]) {
    const place = places[side];
    if (place.x === clampX(place.x) && place.y === clampY(place.y)) return place;
  }
  const isLow = target.y + target.height / 2 > screen.height / 2;
  return { x: middleX, y: clampY(isLow ? margin : mostY) };
}
