import type { RemoteLimits } from './remote-limits.ts';

/** How many milliseconds a card may be kept, by its `Cache-Control` (contract/agents.md#remote-agents). */
export function freshFor(cacheControl: string, freshMs: RemoteLimits['freshMs']): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/u.exec(cacheControl)?.[1];
  if (seconds === undefined || /no-cache|no-store/u.test(cacheControl)) return freshMs.default;
  return Math.min(freshMs.most, Math.max(freshMs.least, Number(seconds) * 1_000));
}
