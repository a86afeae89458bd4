/** Whether a value is pure base64 with its padding. Providers refuse a whole request for one character outside base64. */
export function isBase64(value: unknown): value is string {
  return typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}
