/** The two clocks of the machine. */
export interface Clock {
  /** Epoch milliseconds: for what is told, stored or compared over restarts. The clock may be set, so it measures nothing. */
  now(): number;
  /** Milliseconds since some moment, never going back: for durations and limits. */
  elapsed(): number;
}
