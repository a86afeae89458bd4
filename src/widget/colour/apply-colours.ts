import type { DisplayOptions } from '../display-options.ts';
import { accentText } from './accent-text.ts';
import { onColour, parseHex } from './hex-colour.ts';

/** Sets the accent, the colour of text on the accent, and the accent as a colour of text. Both texts must be readable (WCAG 1.4.3). */
export function applyColours(style: CSSStyleDeclaration, { primaryColor, theme }: DisplayOptions): void {
  const accent = parseHex(primaryColor ?? '');
  style.setProperty('--helper-on-accent', accent && onColour(accent));
  style.setProperty('--chosen-accent-text', accent && accentText(accent, theme === 'Dark'));
}
