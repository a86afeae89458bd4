/** Milliseconds that an action without a `timeout` may take (extending-1-18). */
export const defaultActionTimeoutMs = 60_000;

const unitMilliseconds: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const longestTimeoutMs = 24 * 3_600_000;

/** The milliseconds of a text such as `30s`, `500ms`, `2m` or `1h`. Undefined for any other text, for 0, and for more than a day. */
export function parseActionTimeout(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (unitMilliseconds.get(unit ?? '') ?? Number.NaN);
  return milliseconds > 0 && milliseconds <= longestTimeoutMs ? milliseconds : undefined;
}
