import { type ClientSettings, type Language, positions, themes } from '../../wire/client-settings.ts';
import type { ChosenDisplay } from '../display-options.ts';
import { launcherTexts } from './launcher-texts.ts';

const hexColour = /^#(?:[0-9a-f]{3}){1,2}$/i;

/**
 * The page's choices laid over the server's. Names are matched without regard to case, as in the configuration; what is
 * not a possible value changes nothing, so that a slip of the pen in a page never takes the widget away.
 */
export function overrideDisplay(
  display: ChosenDisplay | ClientSettings,
  chosen: Readonly<Record<string, unknown>>,
): ChosenDisplay {
  const { language, theme, position, primaryColor, botName } = chosen;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    language:
      oneOf(Object.keys(launcherTexts) as Language[], text(language)) /* its type says so */ ?? display.language,
    theme: oneOf(themes, text(theme)) ?? display.theme,
    position: oneOf(positions, text(position)) ?? display.position,
    primaryColor: hexColour.test(text(primaryColor)) ? text(primaryColor) : display.primaryColor,
    botName: text(botName) || display.botName,
  };
}

function oneOf<T extends string>(names: readonly T[], value: string): T | undefined {
  // `bottom-right` is how an attribute is usually written.
  const wanted = value.replace('-', '').toLowerCase();
  return names.find((name) => name.toLowerCase() === wanted);
}
