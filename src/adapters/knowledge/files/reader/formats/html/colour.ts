/** A colour, or none at all. */
export type Colour = { readonly red: number; readonly green: number; readonly blue: number } | 'transparent';

/** Colours whose parts differ by no more look the same. */
const nearness = 12;

const named: Readonly<Record<string, string>> = {
  white: '#ffffff',
  snow: '#fffafa',
  ivory: '#fffff0',
  ghostwhite: '#f8f8ff',
  floralwhite: '#fffaf0',
  whitesmoke: '#f5f5f5',
  black: '#000000',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  navy: '#000080',
};

/** A colour of CSS, or of an attribute of HTML. Undefined: it is none that is known. */
export function colourOf(written: string): Colour | undefined {
  const text = written.trim().toLowerCase().slice(0, 60);
  if (text === 'transparent') return 'transparent';
  const hex = /^#?([0-9a-f]{3,8})$/.exec(named[text] ?? text)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const parts = /^rgba?\(([^)]{1,50})\)$/
    .exec(text)?.[1]
    ?.split(/[\s,/]+/)
    .filter((part) => part !== '');
  if (parts === undefined) return undefined;
  const [red, green, blue, alpha = 1] = parts.map((part) => parseFloat(part) * (part.endsWith('%') ? 2.55 : 1));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return alpha === 0 ? 'transparent' : { red, green, blue };
}

function fromHex(hex: string): Colour | undefined {
  if (hex.length === 5 || hex.length === 7) return undefined;
  const long =
    hex.length < 6
      ? hex
          .split('')
          .map((digit) => digit + digit)
          .join('')
      : hex;
  if (long.slice(6) === '00') return 'transparent';
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16));
  return { red, green, blue };
}

/** Whether two colours cannot be told apart. */
export function isNear(one: Exclude<Colour, 'transparent'>, other: Exclude<Colour, 'transparent'>): boolean {
  return (['red', 'green', 'blue'] as const).every((part) => Math.abs(one[part] - other[part]) <= nearness);
}
