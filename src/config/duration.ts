const millisecondsPerUnit: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Milliseconds. The longest duration of a setting that a timer waits for. A longer duration does not fit a timer, which would end at once.
 */
export const longestDuration = 24 * 86_400_000;

/** Milliseconds: ten years. The longest duration of a setting that no timer waits for. */
export const longestAge = 3650 * 86_400_000;

/**
 * Milliseconds of `15s`, `500ms`, `1.5h`, `7d`, `0`, or the .NET forms `00:00:15` and `7.00:00:00` (contract/configuration.md#reading).
 * Undefined when it is none of them.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^-?0+$/.test(trimmed)) return 0;
  const withUnit = /^(-?\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(trimmed);
  if (withUnit !== null) {
    const milliseconds = Number(withUnit[1]) * (millisecondsPerUnit[withUnit[2] ?? ''] ?? Number.NaN);
    return Number.isSafeInteger(Math.round(milliseconds)) ? Math.round(milliseconds) : undefined;
  }
  return parseTimeSpan(trimmed);
}

/** `[-][d.]hh:mm:ss[.fffffff]` as .NET writes it. */
function parseTimeSpan(text: string): number | undefined {
  const match = /^(-)?(?:(\d{1,8})\.)?([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,7})?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, days, hours, minutes, seconds, fraction] = match;
  const milliseconds =
    Number(days ?? 0) * 86_400_000 +
    Number(hours) * 3_600_000 +
    Number(minutes) * 60_000 +
    Number(seconds) * 1000 +
    Math.round(Number(fraction ?? 0) * 1000);
  return sign === undefined || milliseconds === 0 ? milliseconds : -milliseconds;
}
