/**
 * Milliseconds until a growing reply is drawn again. The interval grows with the cost of drawing and with the length of the redrawn part,
 * so that a weak machine stays usable during a long table.
 */
export function flushInterval(lastCostMs: number, tailLength: number): number {
  return Math.min(250, Math.max(33, 12 * lastCostMs, tailLength / 40));
}
