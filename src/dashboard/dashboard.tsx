import { render } from 'preact';
import { type Language, languages, languageTags } from '../wire/client-settings.ts';
import { Dashboard } from './dashboard-page.tsx';
import type { DashboardTexts } from './texts/dashboard-texts.ts';

/** The dashboard. It shows no figures until a user who may see them has signed in (contract/operations.md#dashboard). */
const { path = '', appName = '', language = '', signIn = '', texts = '' } = document.body.dataset;

/** Loads the texts of a language, which are a separate file. */
async function textsOf(chosen: Language): Promise<DashboardTexts> {
  const file = `${path}/assets/${texts.replace('*', chosen.toLowerCase())}`;
  // Built from src/dashboard/texts in the same build as this script.
  const loaded = (await import(file)) as { readonly texts: DashboardTexts };
  return loaded.texts;
}

/** The language that the address asks for, else the configured one, else the browser's. */
function firstLanguage(): Language {
  const asked = new URL(location.href).searchParams.get('language') ?? language;
  const wanted = asked === '' ? navigator.languages : [asked];
  for (const tag of wanted) {
    const found = languages.find((name) => isSameLanguage(languageTags[name], tag));
    if (found !== undefined) return found;
  }
  return 'English';
}

function isSameLanguage(one: string, other: string): boolean {
  return one.split('-')[0]?.toLowerCase() === other.split('-')[0]?.toLowerCase();
}

const chosen = firstLanguage();
const first = await textsOf(chosen);
render(
  <Dashboard
    source={`${path}/metrics`}
    appName={appName}
    canSignIn={signIn !== 'none'}
    first={{ language: chosen, texts: first }}
    textsOf={textsOf}
  />,
  document.body,
);
