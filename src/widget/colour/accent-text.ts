import { luminance, type Rgb } from './hex-colour.ts';

/**
 * The accent as a colour for text and outlines. The colour is moved towards black or white until its contrast on the panel is 4.5:1 (WCAG
 * 1.4.3).
 */
export function accentText(accent: Rgb, isDark: boolean): string {
  const background: Rgb = isDark ? [31, 34, 44] : [243, 244, 249];
  const target = isDark ? 255 : 0;
  let text = accent;
  for (let step = 1; contrast(text, background) < 4.5 && step <= 20; step += 1) {
    const mix = (channel: number): number => Math.round(channel + ((target - channel) * step) / 20);
    text = [mix(accent[0]), mix(accent[1]), mix(accent[2])];
  }
  return `#${text.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}
