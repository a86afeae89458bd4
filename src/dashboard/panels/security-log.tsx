import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SecurityLogLine } from '../../wire/security-lines.ts';
import type { PageContext } from '../page-context.ts';
import { type FigureSource, readSecurityLog } from '../read-figures.ts';
import { DataTable } from './data-table.tsx';

interface SecurityLogProps extends FigureSource {
  readonly context: PageContext;
  /** When the page has last read its figures. The lines are read again each time, until somebody pauses them. */
  readonly readAt: number;
}

/** The newest lines of the security log, which follow the server until somebody pauses them. */
export function SecurityLog({ context, readAt, address, token }: SecurityLogProps): JSX.Element {
  const { texts, formats } = context;
  const [lines, setLines] = useState<readonly SecurityLogLine[] | null>(null);
  const [isPaused, setPaused] = useState(false);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    if (isPaused) return undefined;
    const stop = new AbortController();
    readSecurityLog({ address, token }, stop.signal).then(
      (read) => {
        setLines(read);
        setFailed(false);
      },
      () => {
        if (!stop.signal.aborted) setFailed(true);
      },
    );
    return () => stop.abort();
  }, [address, token, readAt, isPaused]);
  const rows = lines?.map((line) => [formats.exactMoment(line.time), eventOf(line, context), line.who, line.reason]);
  const columns = [texts.time, texts.securityEvent, texts.who, texts.reason].map((title) => ({ title }));
  return (
    <section aria-labelledby="security-title">
      <h2 id="security-title">{texts.securityLog}</h2>
      <div class="panel">
        <div class="panel-head">
          <p class="hint" role="status">
            {isPaused ? texts.logPaused : isFailed ? texts.unreachable : texts.logFollows}
          </p>
          <button type="button" onClick={() => setPaused(!isPaused)}>
            {isPaused ? texts.resume : texts.pause}
          </button>
        </div>
        {rows === undefined ? null : rows.length === 0 ? (
          <p>{texts.noSecurityEvents}</p>
        ) : (
          <DataTable id="table-security" caption={texts.securityLog} columns={columns} rows={rows} />
        )}
      </div>
    </section>
  );
}

/** What happened to which request or action, and how often it happened without a line. */
function eventOf({ what, request, action, leftOut }: SecurityLogLine, { texts, formats }: PageContext): string {
  const more = leftOut === undefined ? undefined : texts.moreEvents(formats.number(leftOut));
  return [what, request ?? action, more].filter((part) => part !== undefined).join(' · ');
}
