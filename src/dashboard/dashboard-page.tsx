import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type CsvTable } from '../wire/admin-metrics.ts';
import { type Language, languageTags } from '../wire/client-settings.ts';
import { Formats } from './formats.ts';
import { Header } from './header.tsx';
import type { PageContext } from './page-context.ts';
import { About } from './panels/about.tsx';
import { Charts } from './panels/charts.tsx';
import { Contents } from './panels/contents.tsx';
import { KillSwitch } from './panels/kill-switch.tsx';
import { SecurityLog } from './panels/security-log.tsx';
import { Tables } from './panels/tables.tsx';
import { LiveTiles, RangeTiles } from './panels/tiles.tsx';
import { type Range, rangeInAddress, spanOf, withRange } from './ranges.ts';
import { readCsv } from './read-figures.ts';
import { saveFile } from './save-file.ts';
import { SignIn } from './sign-in.tsx';
import type { DashboardTexts } from './texts/dashboard-texts.ts';
import { type Seen, useFigures } from './use-figures.ts';

interface Spoken {
  readonly language: Language;
  readonly texts: DashboardTexts;
}

interface DashboardProps {
  /** The address of the figures. */
  readonly source: string;
  readonly appName: string;
  readonly canSignIn: boolean;
  readonly first: Spoken;
  readonly textsOf: (language: Language) => Promise<DashboardTexts>;
}

/** The whole page. Its address holds everything that was chosen, except the token, which is kept only in memory. */
export function Dashboard({ source, appName, canSignIn, first, textsOf }: DashboardProps): JSX.Element {
  const [{ language, texts }, speak] = useState(first);
  const [range, setRange] = useState((): Range => rangeInAddress(new URL(location.href)));
  const [token, setToken] = useState('');
  const seen = useFigures({ address: source, token }, range);
  const currency = seen.kind === 'figures' ? seen.metrics.server.currency : null;
  const formats = useMemo(() => new Formats(languageTags[language], currency), [language, currency]);
  const context: PageContext = { texts, formats };
  useEffect(() => {
    document.documentElement.lang = languageTags[language];
    document.title = `${texts.title} – ${appName}`;
  }, [language, texts, appName]);
  const chooseRange = (chosen: Range): void => {
    setRange(chosen);
    history.replaceState(null, '', withRange(new URL(location.href), chosen));
  };
  const chooseLanguage = (chosen: Language): void => {
    keepInAddress('language', languageTags[chosen]);
    // When the file of the language does not load, the page keeps its present language.
    textsOf(chosen).then(
      (loaded) => speak({ language: chosen, texts: loaded }),
      () => undefined,
    );
  };
  const retentionMs = seen.kind === 'figures' ? seen.metrics.live.storage.retentionMs : null;
  return (
    <>
      <Header {...{ context, appName, range, chooseRange, language, chooseLanguage, retentionMs }} />
      <main tabIndex={-1}>
        <Content {...{ context, seen, source, token, setToken, canSignIn, range }} />
      </main>
    </>
  );
}

interface ContentProps {
  readonly context: PageContext;
  readonly seen: Seen;
  readonly source: string;
  readonly token: string;
  readonly setToken: (token: string) => void;
  readonly canSignIn: boolean;
  readonly range: Range;
}

function Content({ context, seen, source, token, setToken, canSignIn, range }: ContentProps): JSX.Element {
  const { texts, formats } = context;
  const [problem, setProblem] = useState('');
  if (seen.kind === 'loading') return <p role="status">{texts.loading}</p>;
  if (seen.kind === 'failed') return <p role="status">{texts.unreachable}</p>;
  if (seen.kind !== 'figures') {
    return <SignIn {...{ context, canSignIn, refusal: seen, hasToken: token !== '', signIn: setToken }} />;
  }
  const saveCsv = (table: CsvTable): void => {
    setProblem('');
    readCsv({ address: source, token }, spanOf(range, Date.now()), table).then(
      (content) => saveFile(content, `helper-${table}.csv`),
      () => setProblem(texts.notSaved),
    );
  };
  const saveJson = (): void => {
    saveFile(new Blob([JSON.stringify(seen.metrics, null, 2)], { type: 'application/json' }), 'helper.json');
  };
  const shown = { ...seen, saveCsv };
  return (
    <>
      <p role="status" class={seen.isStale ? 'stale' : 'hint'}>
        {seen.isStale ? texts.stale(formats.moment(seen.readAt)) : problem}
      </p>
      <Contents context={context} metrics={seen.metrics} />
      <LiveTiles context={context} shown={shown} />
      <KillSwitch {...{ context, address: source, token }} figures={seen.metrics.live.killSwitch} />
      <RangeTiles context={context} shown={shown} />
      <Charts context={context} shown={shown} />
      <Tables context={context} shown={shown} />
      {seen.metrics.server.hasSecurityLog ? (
        <SecurityLog {...{ context, address: source, token }} readAt={seen.readAt} />
      ) : null}
      <About context={context} shown={shown} />
      <p class="ends">
        <button type="button" onClick={saveJson}>
          {texts.asJson}
        </button>
        {token === '' ? null : (
          <button type="button" onClick={() => setToken('')}>
            {texts.forgetToken}
          </button>
        )}
      </p>
    </>
  );
}

function keepInAddress(name: string, value: string): void {
  const address = new URL(location.href);
  address.searchParams.set(name, value);
  history.replaceState(null, '', address);
}
