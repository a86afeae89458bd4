import type { Language } from '../../wire/client-settings.ts';
import type { ChosenDisplay, DisplayOptions } from '../display-options.ts';
import { launcherTexts } from './launcher-texts.ts';

const root = document.documentElement;
const darkSystem = matchMedia('(prefers-color-scheme:dark)');

/** Resolves the choices that follow the page: `theme: Auto` (contract/widget.md#looks), and the language where none was chosen. */
export function followPage(chosen: ChosenDisplay): DisplayOptions {
  const { language, theme } = chosen;
  return {
    ...chosen,
    language: language ?? pageLanguage(),
    theme: theme === 'Auto' ? (isPageDark() ? 'Dark' : 'Default') : theme,
  };
}

/** Calls `run` whenever the page's looks or language may have changed, for as long as the page lives. */
export function watchPage(run: () => void): void {
  // A page may state its theme in any attribute of its root element.
  new MutationObserver(run).observe(root, { attributes: true });
  darkSystem.onchange = run;
  // Styles may load later than the script.
  addEventListener('load', run);
}

/** Whether the page declares the dark colour scheme. A page that declares both or none leaves the choice to the system. */
function isPageDark(): boolean {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]');
  const said = [root.dataset['theme'], getComputedStyle(root).colorScheme, meta?.content];
  const clear = said.find((text = '') => /dark/i.test(text) !== /light/i.test(text));
  return clear === undefined ? darkSystem.matches : /dark/i.test(clear);
}

function pageLanguage(): Language {
  const names = Object.keys(launcherTexts) as Language[]; // its type has exactly these keys
  // Two letters per language, in the order of `launcherTexts`.
  const index = 'enitfrdeesptnlpljazh'.indexOf(root.lang.slice(0, 2).toLowerCase());
  return names[index / 2] ?? 'English';
}
