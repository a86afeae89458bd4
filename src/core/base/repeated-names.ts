/**
 * Whether an object in JSON text has two members of one name. The value that was read from the text has lost one of them, and another reader
 * may keep that one. `value` MUST be what `JSON.parse` has read from `text`.
 */
export function hasRepeatedNames(text: string, value: unknown): boolean {
  return colonsIn(text) !== membersIn(value);
}

/** The colons outside of strings, of which each member has one. */
function colonsIn(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === ':') colons += 1;
    else if (text[at] === '"') at = endOfString(text, at);
  }
  return colons;
}

/** The place of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** Goes down without recursion: `JSON.parse` reads what lies deeper than the stack reaches. */
function membersIn(value: unknown): number {
  const left = [value];
  let members = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const children: readonly unknown[] = Object.values(next);
    if (!Array.isArray(next)) members += children.length;
    for (const child of children) left.push(child);
  }
  return members;
}
