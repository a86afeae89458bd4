import type { Clock } from '../core/ports/clock.ts';

/** The clocks of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
