/**
 * A value as `JSON.stringify` and `JSON.parse` would hand it on, but for bytes and dates, which MessagePack has itself. What
 * JSON has no word for is null.
 * @throws TypeError for a bigint, as JSON does
 */
export function messagePackValue(value: unknown): unknown {
  return readValue(value, '') ?? null;
}

/** Undefined: JSON would leave it out of an object. */
function readValue(value: unknown, key: string): unknown {
  if (isOwnKind(value)) return value;
  return readPlain(hasJson(value) ? value.toJSON(key) : value);
}

function readPlain(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      throw new TypeError('A bigint cannot be sent.');
    case 'object':
      return value === null || isOwnKind(value) ? value : readObject(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function readObject(value: object): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => readValue(entry, String(index)) ?? null);
  const entries = Object.entries(value).map(([name, entry]) => [name, readValue(entry, name)] as const);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

/** What MessagePack has and JSON has not. A date of no time is none. */
function isOwnKind(value: unknown): boolean {
  return value instanceof Uint8Array || (value instanceof Date && !Number.isNaN(value.getTime()));
}

function hasJson(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}
