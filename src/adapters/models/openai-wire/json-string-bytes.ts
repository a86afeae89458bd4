const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;
const unicodeEscape = 0x75;
/** The bytes that may follow a backslash in JSON: " \ / b f n r t and u. */
const escapable: ReadonlySet<number> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74, unicodeEscape]);

/**
 * The position of the quote that ends the JSON string whose content begins at `from`. -1 when the content is not valid or the string does
 * not end in `bytes`. Accepted content may be put between quotes unchanged: it has no control byte, no unescaped quote and no broken
 * escape.
 */
export function endOfJsonString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at;
    if (byte < firstPrintable) return -1;
    if (byte === backslash) {
      at = endOfEscape(bytes, at);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** The position of the last byte of the escape that begins at `at`, or -1. */
function endOfEscape(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1] ?? 0;
  if (!escapable.has(kind)) return -1;
  if (kind !== unicodeEscape) return at + 1;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    if (!isHexDigit(bytes[digit] ?? 0)) return -1;
  }
  return at + 5;
}

function isHexDigit(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}
