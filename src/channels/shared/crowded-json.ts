/** The most lists and objects of one body. Each takes a hundred bytes of memory, and two of its text. */
const mostContainers = 20_000;

const [backslash, quote, list, object] = ['\\', '"', '[', '{'].map((sign) => sign.charCodeAt(0));

/**
 * Whether JSON has more lists and objects than any honest request: read, they would take many times the memory that the body was let in for,
 * for as long as the request is answered. It looks at each character once.
 */
export function isCrowded(text: string): boolean {
  // So short a text cannot have so many.
  if (text.length < 2 * mostContainers) return false;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === list || character === object) count += 1;
  }
  return count > mostContainers;
}

/** The place of the quote that ends the text which begins at `start`. Texts may be long, such as pictures. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
