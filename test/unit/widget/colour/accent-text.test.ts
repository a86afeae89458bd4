import { describe, expect, it } from 'vitest';
import { accentText, contrast } from '../../../../src/widget/colour/accent-text.ts';
import { onColour, parseHex, type Rgb } from '../../../../src/widget/colour/hex-colour.ts';

const colours = ['#ffcc00', '#0a7', '#000000', '#ffffff', '#4451d6', '#ff0000', '#808080', '#00ffff'];
const rgb = (hex: string): Rgb => parseHex(hex) ?? [0, 0, 0];

describe('the colours of a host’s accent (WCAG 1.4.3)', () => {
  it.each(colours)('what is written on %s is readable', (colour) => {
    expect(contrast(rgb(onColour(rgb(colour))), rgb(colour))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(colours)('%s as text is readable on light and dark panels', (colour) => {
    expect(contrast(rgb(accentText(rgb(colour), false)), [243, 244, 249])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(rgb(accentText(rgb(colour), true)), [31, 34, 44])).toBeGreaterThanOrEqual(4.5);
  });

  it('a readable accent stays as it is', () => {
    expect(accentText(rgb('#0b3d91'), false)).toBe('#0b3d91');
  });

  it.each(['', 'red', '#12', '#1234', '#12345g', '#1234567', 'rgb(0,0,0)'])('%j is no colour', (text) => {
    expect(parseHex(text)).toBeNull();
  });

  it('three digits are six', () => {
    expect(parseHex('#0a7')).toEqual([0, 170, 119]);
  });
});
