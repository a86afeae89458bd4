/**
 * The value that `JSON.parse` would return for the result of `JSON.stringify`. Bytes and dates stay as they are, because MessagePack has
 * types for them. A value that JSON cannot express becomes null.
 * @throws TypeError for a bigint, as JSON does
 */
export function messagePackValue(value: unknown): unknown {
  return readValue(value, '') ?? null;
}

/** Undefined for a value that JSON would leave out of an object. */
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

/** Whether MessagePack has a type for the value and JSON has none. An invalid date does not count. */
function isOwnKind(value: unknown): boolean {
  return value instanceof Uint8Array || (value instanceof Date && !Number.isNaN(value.getTime()));
}

function hasJson(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}
