import { useEffect, useRef, useState } from 'preact/hooks';
import type { AdminMetrics } from '../wire/admin-metrics.ts';
import { type Range, type Span, spanBefore, spanOf } from './ranges.ts';
import { type FigureSource, type Reading, readFigures } from './read-figures.ts';

/** The state of the page. */
export type Seen =
  | { readonly kind: 'loading' }
  | Exclude<Reading, { readonly kind: 'figures' }>
  | {
      readonly kind: 'figures';
      readonly metrics: AdminMetrics;
      readonly before: AdminMetrics | null;
      readonly isBeforeKept: boolean;
      /** Epoch milliseconds. */
      readonly readAt: number;
      /** The server has failed to answer more than once since these figures were read. */
      readonly isStale: boolean;
    };

/** Milliseconds between two readings. */
const refreshMs = 15_000;

/** The figures of a range, read again every 15 s while somebody can see the page. */
export function useFigures({ address, token }: FigureSource, range: Range): Seen {
  const [seen, setSeen] = useState<Seen>({ kind: 'loading' });
  const readAs = useRef(token);
  useEffect(() => {
    // The figures of one user are not shown to the next user.
    if (readAs.current !== token) setSeen((known) => (known.kind === 'figures' ? { kind: 'loading' } : known));
    readAs.current = token;
    const stop = new AbortController();
    let failures = 0;
    let isReading = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let compared: Compared = { of: '', isKept: true, metrics: null };
    const source = { address, token };
    /**
     * Resolves with whether the page reads again by itself. It does not after a refusal: the next answer would be the same refusal, and
     * each is a line in the security log.
     */
    const read = async (): Promise<boolean> => {
      const span = spanOf(range, Date.now());
      const reading = await readFigures(source, span, stop.signal);
      if (reading.kind === 'figures') {
        compared = await readBefore(source, { span, metrics: reading.metrics, compared }, stop.signal);
        failures = 0;
        const { metrics: before, isKept } = compared;
        setSeen({ ...reading, before, isBeforeKept: isKept, readAt: Date.now(), isStale: false });
        return true;
      }
      failures += reading.kind === 'failed' ? 1 : 0;
      setSeen((known) => afterFault(known, reading, failures));
      return reading.kind === 'failed';
    };
    const again = (): void => {
      clearTimeout(timer);
      if (document.hidden || isReading) return;
      isReading = true;
      read().then(
        (isWorthwhile) => {
          isReading = false;
          if (isWorthwhile) timer = setTimeout(again, refreshMs);
        },
        // Stopped: another reading has begun.
        () => undefined,
      );
    };
    again();
    document.addEventListener('visibilitychange', again);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [address, token, range]);
  return seen;
}

/** The figures of the range before. They stay the same while the hour stays the same. */
interface Compared {
  readonly of: string;
  readonly isKept: boolean;
  readonly metrics: AdminMetrics | null;
}

async function readBefore(
  source: FigureSource,
  { span, metrics, compared }: { readonly span: Span; readonly metrics: AdminMetrics; readonly compared: Compared },
  signal: AbortSignal,
): Promise<Compared> {
  const before = spanBefore(span, metrics.live.storage.retentionMs);
  if (before === null) return { of: '', isKept: false, metrics: null };
  const of = String(before.from);
  if (compared.of === of) return compared;
  const reading = await readFigures(source, before, signal);
  return reading.kind === 'figures'
    ? { of, isKept: true, metrics: reading.metrics }
    : { of: '', isKept: true, metrics: null };
}

/**
 * The state after a failed reading. Figures stay while the server does not answer, and count as stale after the second failure. A refusal
 * removes them.
 */
function afterFault(known: Seen, reading: Exclude<Reading, { kind: 'figures' }>, failures: number): Seen {
  if (reading.kind !== 'failed' || known.kind !== 'figures') return reading;
  return { ...known, isStale: failures >= 2 };
}
