import type { DefaultTreeAdapterTypes } from 'parse5';
import { type Declarations, declarationsOf, type StyleSheet } from './style-sheet.ts';
import { attributeOf } from './attributes.ts';
import { colourOf, type Colour, isNear } from './colour.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** The colours in which an element writes. Undefined: the page does not say which. */
export interface Colours {
  readonly text: Colour | undefined;
  readonly ground: Colour | undefined;
}

/** Dark letters on white paper. */
export const usualColours: Colours = {
  text: { red: 0, green: 0, blue: 0 },
  ground: { red: 255, green: 255, blue: 255 },
};

/** Whether letters are seen on their ground. */
export function isSeen({ text, ground }: Colours): boolean {
  if (text === 'transparent') return false;
  return text === undefined || ground === undefined || ground === 'transparent' || !isNear(text, ground);
}

/** What the page's own styles and the attributes say of an element. An attribute `style` wins, as in a browser. */
export function stylesOf(element: Element, sheet: StyleSheet): Declarations {
  const own = attributeOf(element, 'style');
  const colour = attributeOf(element, 'color');
  const ground = attributeOf(element, 'bgcolor');
  const of = sheet.of(element.tagName, attributeOf(element, 'class') ?? '', attributeOf(element, 'id') ?? '');
  if (own === undefined && colour === undefined && ground === undefined) return of;
  const found = new Map(of);
  if (colour !== undefined) found.set('color', colour);
  if (ground !== undefined) found.set('background-color', ground);
  if (own !== undefined) for (const [name, value] of declarationsOf(own)) found.set(name, value);
  return found;
}

/** Whether an element takes its text away from the eyes of people. */
export function isHidden(element: Element, styles: Declarations): boolean {
  if (attributeOf(element, 'hidden') !== undefined) return true;
  if (styles.size === 0) return false;
  return (
    styles.get('display') === 'none' ||
    /^(?:hidden|collapse)$/.test(styles.get('visibility') ?? '') ||
    styles.get('mso-hide') === 'all' ||
    /^0+(?:\.0+)?$/.test(styles.get('opacity') ?? '1') ||
    /^[01]?(?:\.\d+)?(?:px|pt|em|rem|%)?$/.test(sizeOf(styles)) ||
    /^-\d{4,}/.test(styles.get('left') ?? styles.get('text-indent') ?? '')
  );
}

/** A size that people cannot read is below two points. `em` counts from its absence on. */
function sizeOf(styles: Declarations): string {
  const size = styles.get('font-size') ?? '';
  return /^(?:1(?:\.\d+)?|0?\.[2-9]\d*)(?:em|rem)$/.test(size) || size === '' ? 'usual' : size;
}

/** The colours of an element within one with `outer`. */
export function coloursWithin(outer: Colours, styles: Declarations): Colours {
  if (styles.size === 0) return outer;
  const text = styles.get('color');
  const ground = styles.get('background-color') ?? styles.get('background');
  if (text === undefined && ground === undefined) return outer;
  const painted = ground === undefined ? outer.ground : groundOf(ground, outer.ground);
  return { text: text === undefined ? outer.text : (colourOf(text) ?? outer.text), ground: painted };
}

/** A picture or a gradient may have any colour. */
function groundOf(value: string, outer: Colour | undefined): Colour | undefined {
  if (/url\(|gradient|var\(/.test(value)) return undefined;
  const colour = value
    .split(/\s(?![^(]*\))/)
    .map(colourOf)
    .find((one) => one !== undefined);
  return colour === undefined || colour === 'transparent' ? outer : colour;
}
