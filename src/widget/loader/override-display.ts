import { type ClientSettings, positions, themes } from '../../wire/client-settings.ts';
import type { ChosenDisplay } from '../display-options.ts';
import { launcherTexts } from './launcher-texts.ts';

/** Reads the text that a page gives for each choice. The result is empty when the text is no possible value. */
const readers: Readonly<Record<keyof ChosenDisplay, (text: string) => unknown>> = {
  language: oneOf(Object.keys(launcherTexts)),
  theme: oneOf(themes),
  position: oneOf(positions),
  primaryColor: (text) => /^#(?:[0-9a-f]{3}){1,2}$/i.test(text) && text,
  botName: String,
  avatarUrl: String,
  inputPlaceholder: String,
  // Only the server turns HTML into elements.
  welcomeMessage: (text) => text && [text],
};

/**
 * Lays the page's choices over the server's. Names are matched without regard to case, as in the configuration. An impossible value
 * changes nothing, so that a mistake in a page never removes the widget.
 */
export function overrideDisplay(
  display: ChosenDisplay | ClientSettings,
  chosen: Readonly<Record<string, unknown>>,
): ChosenDisplay {
  const taken: Record<string, unknown> = { ...display };
  let name: keyof ChosenDisplay;
  for (name in readers) {
    const value = chosen[name];
    if (typeof value === 'string') taken[name] = readers[name](value) || taken[name];
  }
  return taken as unknown as ChosenDisplay; // each reader returns a value of its choice
}

function oneOf(names: readonly string[]): (text: string) => string | undefined {
  return (text) => {
    // Attributes are usually written like `bottom-right`.
    const wanted = text.replace('-', '').toLowerCase();
    return names.find((name) => name.toLowerCase() === wanted);
  };
}
