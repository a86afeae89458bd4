import type { AdminMetrics, CsvTable } from '../wire/admin-metrics.ts';
import type { Formats } from './formats.ts';
import type { DashboardTexts } from './texts/dashboard-texts.ts';

/** What every part of the page is drawn with. */
export interface PageContext {
  readonly texts: DashboardTexts;
  readonly formats: Formats;
}

/** The figures that are shown, and what may be done with them. */
export interface Shown {
  readonly metrics: AdminMetrics;
  /** The time before, for comparison; null when there is none. */
  readonly before: AdminMetrics | null;
  /** Whether the server keeps figures of the time before. */
  readonly isBeforeKept: boolean;
  /** When they were read, in epoch milliseconds. */
  readonly readAt: number;
  readonly saveCsv: (table: CsvTable) => void;
}
