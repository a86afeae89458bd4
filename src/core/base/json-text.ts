/** A value as JSON text. What JSON does not know (`undefined`, a function) is `null`, as it is inside lists. */
export function jsonText(value: unknown): string {
  return stringify(value) ?? 'null';
}

/** `JSON.stringify` with its true type. Its declared type does not mention that it may return `undefined`. */
function stringify(value: unknown): string | undefined {
  return JSON.stringify(value);
}
