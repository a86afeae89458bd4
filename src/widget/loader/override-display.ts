import { type ClientSettings, positions, themes } from '../../wire/client-settings.ts';
import type { ChosenDisplay } from '../display-options.ts';
import { launcherTexts } from './launcher-texts.ts';

/** What a text that a page gives for a choice stands for; something empty when it is not possible. */
const readers: Readonly<Record<keyof ChosenDisplay, (text: string) => unknown>> = {
  language: oneOf(Object.keys(launcherTexts)),
  theme: oneOf(themes),
  position: oneOf(positions),
  primaryColor: (text) => /^#(?:[0-9a-f]{3}){1,2}$/i.test(text) && text,
  botName: String,
  avatarUrl: String,
  inputPlaceholder: String,
  // Only the server makes elements of HTML.
  welcomeMessage: (text) => text && [text],
};

/**
 * The page's choices laid over the server's. Names are matched without regard to case, as in the configuration; what is
 * not a possible value changes nothing, so that a slip of the pen in a page never takes the widget away.
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
  return taken as unknown as ChosenDisplay; // each reader gives what its choice may be
}

function oneOf(names: readonly string[]): (text: string) => string | undefined {
  return (text) => {
    // `bottom-right` is how an attribute is usually written.
    const wanted = text.replace('-', '').toLowerCase();
    return names.find((name) => name.toLowerCase() === wanted);
  };
}
