/** Microseconds of the machine's monotonic clock. All processes share it, so that their notes can be put in order. */
export function clock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
