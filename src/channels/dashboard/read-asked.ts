import { HelperError } from '../../core/errors/helper-error.ts';
import { type CsvTable, csvTables } from '../../wire/admin-metrics.ts';

/** The range that was asked for, in epoch milliseconds: whole hours, or whole steps of five minutes. */
export interface AskedHours {
  /** The beginning of an hour or of a step. */
  readonly from: number;
  /** The end of an hour or of a step; later than `from`. */
  readonly to: number;
  /** The length of an hour or of a step, in milliseconds. */
  readonly stepMs: number;
}

interface Asked extends AskedHours {
  /** The table to send as CSV; null for JSON. */
  readonly table: CsvTable | null;
}

const hourMs = 60 * 60 * 1000;
const shortStepMs = 5 * 60 * 1000;
/**
 * The longest range in steps: the last hour and the hour before it, with which the page compares it, and one step more. A page asks for the
 * steps of its own clock, and one step may end before the server reads the request.
 */
const longestInStepsMs = 2 * hourMs + shortStepMs;
/** The most hours of one answer. Without a limit, a request could make an answer of any size. */
const mostHours = 400 * 24;

/**
 * Reads `from`, `to`, `step`, `format` and `table` of a query. A range is extended to whole hours; without a range, it is the last 24
 * hours, the running hour included. With `step=5m` a range is extended to whole steps of five minutes and must be within the last two
 * hours; without a range, it is the last twelve steps.
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
  // Only RFC 3339 is accepted, because Date.parse reads other forms in the time zone of this machine.
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
