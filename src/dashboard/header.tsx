import type { JSX } from 'preact';
import { type Language, languages, languageTags } from '../wire/client-settings.ts';
import type { PageContext } from './page-context.ts';
import { DayChoice } from './day-choice.tsx';
import { offeredRanges, type Range } from './ranges.ts';

interface HeaderProps {
  readonly context: PageContext;
  readonly appName: string;
  readonly range: Range;
  readonly chooseRange: (range: Range) => void;
  readonly language: Language;
  readonly chooseLanguage: (language: Language) => void;
  /** How long figures are kept. Null while no figures are shown; then the user cannot choose a range. */
  readonly retentionMs: number | null;
}

/** The title of the page, and the choices of range and language. */
export function Header(props: HeaderProps): JSX.Element {
  const { context, appName, range, chooseRange, language, chooseLanguage, retentionMs } = props;
  const { texts } = context;
  return (
    <header>
      <h1>
        {texts.title}
        <small dir="auto">Helper – {appName}</small>
      </h1>
      {retentionMs === null ? null : (
        <div class="ranges" role="group" aria-label={texts.range}>
          {offeredRanges(retentionMs).map((name) => (
            <button key={name} type="button" aria-pressed={name === range} onClick={() => chooseRange(name)}>
              {texts.ranges[name]}
            </button>
          ))}
          <DayChoice {...{ context, range, chooseRange, retentionMs }} />
        </div>
      )}
      <label>
        <span>{texts.language}</span>
        <select
          value={language}
          onChange={({ currentTarget }) => {
            const chosen = languages.find((name) => name === currentTarget.value);
            if (chosen !== undefined) chooseLanguage(chosen);
          }}
        >
          {languages.map((name) => (
            <option key={name} value={name} lang={languageTags[name]}>
              {ownName(name)}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

/** The name of a language in that language, so that its speakers find it. */
function ownName(language: Language): string {
  const tag = languageTags[language];
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag.split('-')[0] ?? tag) ?? language;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
