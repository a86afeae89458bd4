import { makerOf } from '../../../core/base/hinted-id.ts';
import type { PendingCapture } from '../../../core/ports/memory-store.ts';
import { clocksApartMs } from '../../../core/replicas/clocks-apart.ts';
import type { Holder } from './holder.ts';
import { readRows, type SqlDatabase } from './sql-database.ts';

/** Milliseconds by which times in whole milliseconds may be wrong, both clocks together. */
const roundedMs = 2;

/**
 * When something was said, by the clock of the database. The time is never later than it was: what was said before an erasure must not count
 * as said after it.
 */
export async function saidAt(
  database: SqlDatabase,
  { replica, now }: Holder,
  { turnId, askedAt }: PendingCapture,
): Promise<number> {
  const [read] = await readRows(database, database.queries.selectNoFrom(now.as('now')));
  const agoMs = Date.now() - askedAt;
  // Another server has begun this turn by its own clock, or the clock of this one was set back since.
  const isSure = makerOf(turnId) === replica && agoMs >= 0;
  return (read?.now ?? 0) - Math.max(agoMs, 0) - roundedMs - (isSure ? 0 : clocksApartMs);
}
