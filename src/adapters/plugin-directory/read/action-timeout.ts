/** How long an action may take that declares no `timeout` (extending-1-18). Milliseconds. */
export const defaultActionTimeoutMs = 60_000;

const unitMilliseconds: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const longestTimeoutMs = 24 * 3_600_000;

/** Milliseconds of `30s`, `500ms`, `2m` or `1h`; undefined for anything else, for nothing, and for more than a day. */
export function parseActionTimeout(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (unitMilliseconds.get(unit ?? '') ?? Number.NaN);
  return milliseconds > 0 && milliseconds <= longestTimeoutMs ? milliseconds : undefined;
}
