/** Microseconds of the machine's monotonic clock: the same for all processes, so that what they note can be ordered. */
export function clock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
