const bytesPerUnit: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** Bytes of `4MiB`, `512KiB`, `1GiB` or `1048576` (contract/configuration.md#reading); undefined when it is none of them. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?(KiB|MiB|GiB)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const unit = Object.keys(bytesPerUnit).find((name) => name.toLowerCase() === (match[2] ?? '').toLowerCase());
  const bytes = Number(match[1]) * (bytesPerUnit[unit ?? ''] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
