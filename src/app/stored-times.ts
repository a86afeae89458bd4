import type { Stores } from '../adapters/stores/stores.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Logger } from '../core/ports/logger.ts';
import { clocksApartMs } from '../core/replicas/clocks-apart.ts';

/** Milliseconds that the clock may be behind before the log says so. */
const toldFromMs = 60_000;

/** Where times come from that decide what was first: whether something was said or saved before an erasure. */
export type StoredTimes = Pick<Clock, 'now'>;

/**
 * Times by the clock of this machine, each later than all before it. Where the clock was set back, they go on from the latest that is stored
 * by a millisecond each, until the clock has caught up (contract/sessions.md#erasing).
 */
export async function openStoredTimes(
  { scaleOut }: Pick<HelperSettings, 'scaleOut'>,
  { stores, clock, log }: { readonly stores: Stores; readonly clock: StoredTimes; readonly log: Logger },
): Promise<StoredTimes> {
  const aheadMs = clocksApartOf(scaleOut);
  let last = ((await stores.erasures.latest()) ?? -Infinity) - aheadMs;
  let isTold = false;
  const now = (): number => {
    const wall = clock.now();
    const behindMs = last - wall;
    last = Math.max(wall, last + 1);
    if (behindMs > toldFromMs && !isTold) {
      isTold = true;
      log.warn(
        { behindMs },
        'the clock of this machine is behind the times that are stored, which go on from the latest',
      );
    }
    return last;
  };
  // A server that starts says so at once.
  now();
  return { now };
}

/** Milliseconds by which the clocks of servers may differ that use the same stores. 0 where one server at a time does. */
export function clocksApartOf({ type }: HelperSettings['scaleOut']): number {
  return type === 'none' ? 0 : clocksApartMs;
}
