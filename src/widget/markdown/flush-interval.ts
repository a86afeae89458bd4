/**
 * Milliseconds until a growing reply is drawn again: longer when drawing is slow or what is drawn anew is long, so that a
 * weak machine spends its time on the page and not on one table.
 */
export function flushInterval(lastCostMs: number, tailLength: number): number {
  return Math.min(250, Math.max(33, 12 * lastCostMs, tailLength / 40));
}
