import { HelperError } from '../../core/errors/helper-error.ts';
import { type CsvTable, csvTables } from '../../wire/admin-metrics.ts';

/** Whole hours, or whole steps of five minutes, that were asked for, in epoch milliseconds. */
export interface AskedHours {
  /** Begins an hour or a step. */
  readonly from: number;
  /** Ends an hour or a step; after `from`. */
  readonly to: number;
  /** How long each is. */
  readonly stepMs: number;
}

interface Asked extends AskedHours {
  /** Null asks for JSON. */
  readonly table: CsvTable | null;
}

const hourMs = 60 * 60 * 1000;
const shortStepMs = 5 * 60 * 1000;
/** The last hour and the one before, which it is compared with. */
const longestInStepsMs = 2 * hourMs;
/** Hours of one answer: what is asked for decides how long it gets. */
const mostHours = 400 * 24;

/**
 * Reads `from`, `to`, `step`, `format` and `table` of a query. A range grows to whole hours; left out, it is the last 24, the one that runs
 * included. With `step=5m` it grows to whole steps of five minutes within the last two hours; left out, it is the last twelve of them.
 * @throws HelperError `invalid_request` that says what is wrong.
 */
export function readAsked(query: unknown, now: number): Asked {
  const given = query as Readonly<Record<string, unknown>>; // Fastify's parser makes an object
  const stepMs = readStep(given['step']);
  const defaultMs = stepMs === hourMs ? 24 * hourMs : hourMs;
  const to = Math.ceil((readTime('to', given['to']) ?? now + 1) / stepMs) * stepMs;
  const from = Math.floor((readTime('from', given['from']) ?? to - defaultMs) / stepMs) * stepMs;
  if (from >= to) throw wrong('from must be before to.');
  if (stepMs === shortStepMs && from < Math.ceil((now + 1) / stepMs) * stepMs - longestInStepsMs) {
    throw wrong('step=5m covers the last two hours.');
  }
  if (to - from > mostHours * hourMs) throw wrong('One answer covers 400 days at most.');
  return { from, to, stepMs, table: readTable(given) };
}

function readStep(value: unknown): number {
  if (value === undefined || value === '1h') return hourMs;
  if (value === '5m') return shortStepMs;
  throw wrong('step is 1h or 5m.');
}

function readTime(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  // RFC 3339; what else Date.parse takes is read in the time zone of this machine.
  const isTime =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(value);
  const time = isTime ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time) && time >= 0) return time;
  throw wrong(`${name} must be one time such as 2026-11-22T14:00:00Z.`);
}

function readTable({ format = 'json', table }: Readonly<Record<string, unknown>>): CsvTable | null {
  if (format === 'json' && table === undefined) return null;
  const known = csvTables.find((name) => name === table);
  if (format === 'csv' && known !== undefined) return known;
  throw wrong(`format is json, or csv with one table of ${csvTables.join(', ')}.`);
}

function wrong(message: string): HelperError {
  return new HelperError('invalid_request', message);
}
