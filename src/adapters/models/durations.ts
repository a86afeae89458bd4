const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A time with units, such as `7s`, `1m30s` or `250ms`, in milliseconds. Undefined for any other text. */
export function durationOf(text: string): number | undefined {
  if (!/^(?:\d{1,12}(?:\.\d{1,12})?(?:ms|[smh])){1,4}$/.test(text)) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d{1,12}(?:\.\d{1,12})?)(ms|[smh])/g))
    sum += Number(count) * (unitMs[unit] ?? 0);
  return sum;
}
