import type { Language } from '../../wire/client-settings.ts';
import type { ChosenDisplay, DisplayOptions } from '../display-options.ts';
import { launcherTexts } from './launcher-texts.ts';

const root = document.documentElement;
const darkSystem = matchMedia('(prefers-color-scheme:dark)');

/** Decides what follows the page: `theme: Auto` (contract/widget.md#looks), and the language where nobody chose one. */
export function followPage(chosen: ChosenDisplay): DisplayOptions {
  const { language, theme } = chosen;
  return {
    ...chosen,
    language: language ?? pageLanguage(),
    theme: theme === 'Auto' ? (isPageDark() ? 'Dark' : 'Default') : theme,
  };
}

/** Calls back when the page or the system may look or speak otherwise than before, for as long as the page lives. */
export function watchPage(run: () => void): void {
  // Where a page says how it looks: by whatever attribute its styles go by.
  new MutationObserver(run).observe(root, { attributes: true });
  darkSystem.onchange = run;
  // Styles may come later than the script.
  addEventListener('load', run);
}

/** The colour scheme that the page says it has; one that has both, or says nothing, leaves it to the system. */
function isPageDark(): boolean {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]');
  const said = [root.dataset['theme'], getComputedStyle(root).colorScheme, meta?.content];
  const clear = said.find((text = '') => /dark/i.test(text) !== /light/i.test(text));
  return clear === undefined ? darkSystem.matches : /dark/i.test(clear);
}

function pageLanguage(): Language {
  const names = Object.keys(launcherTexts) as Language[]; // its type says so
  // In their order.
  const index = 'enitfrdeesptnlpljazh'.indexOf(root.lang.slice(0, 2).toLowerCase());
  return names[index / 2] ?? 'English';
}
