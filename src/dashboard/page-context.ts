import type { AdminMetrics, CsvTable } from '../wire/admin-metrics.ts';
import type { Formats } from './formats.ts';
import type { DashboardTexts } from './texts/dashboard-texts.ts';

/** What every part of the page needs to be drawn. */
export interface PageContext {
  readonly texts: DashboardTexts;
  readonly formats: Formats;
}

/** The figures that are shown, and the function that saves them. */
export interface Shown {
  readonly metrics: AdminMetrics;
  /** The figures of the range before, for comparison. Null when there are none. */
  readonly before: AdminMetrics | null;
  /** Whether the server still keeps figures of the range before. */
  readonly isBeforeKept: boolean;
  /** The time when the figures were read, in epoch milliseconds. */
  readonly readAt: number;
  readonly saveCsv: (table: CsvTable) => void;
}
