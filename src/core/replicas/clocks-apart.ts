/** Milliseconds by which the clocks of two replicas may differ (contract/replicas.md#clocks). */
export const clocksApartMs = 30_000;
