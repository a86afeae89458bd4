/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** A colour of three or six hex digits after `#`. Null for anything else. */
export function parseHex(hex: string): Rgb | null {
  if (!/^#(?:[0-9a-f]{3}){1,2}$/i.test(hex)) return null;
  const value = Number.parseInt(hex.length < 7 ? hex.replace(/\w/g, '$&$&').slice(1) : hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The brightness of a colour, 0 to 1, as WCAG 1.4.3 defines it. */
export function luminance(colour: Rgb): number {
  const linear = (channel: number): number =>
    channel <= 10 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

/** Black or white: the one that is easier to read on the colour. */
export function onColour(colour: Rgb): string {
  // At this brightness black and white have the same contrast.
  return luminance(colour) > 0.179 ? '#000' : '#fff';
}
