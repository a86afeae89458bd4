/** The two clocks of the machine. */
export interface Clock {
  /**
   * Epoch milliseconds, for times that are shown, stored or compared over restarts. Somebody may set this clock, so it measures no
   * durations.
   */
  now(): number;
  /** Milliseconds since some moment, for durations and limits. The value never decreases. */
  elapsed(): number;
}
