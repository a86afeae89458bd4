/** What no honest request has more of. */
export const crowd = {
  /** Lists and objects of one body. Each takes a hundred bytes of memory, and two of its text. */
  containers: 20_000,
  /** Members of one object. Whoever checks them looks at each by its name, and says of each what is wrong with it. */
  members: 2_000,
  /** Values of one body. */
  values: 100_000,
} as const;

const [backslash, quote, list, object, listEnd, objectEnd, colon, comma] = [
  '\\',
  '"',
  '[',
  '{',
  ']',
  '}',
  ':',
  ',',
].map((sign) => sign.charCodeAt(0));
/** The characters of the shortest member, with its comma. */
const shortestMember = '"":0,'.length;

/**
 * Whether JSON is more than any honest request (`crowd`): read, it would take many times the memory that the body was let in for, or hold up
 * all others while it is looked at. It looks at each character once.
 */
export function isCrowded(text: string): boolean {
  // So short a text cannot have so many.
  if (text.length < shortestMember * crowd.members) return false;
  let containers = 0;
  let values = 1;
  /** The members so far of each object that is open; of a list none. */
  const open = [0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === comma) values += 1;
    else if (character === colon) {
      const members = (open.pop() ?? 0) + 1;
      open.push(members);
      if (members > crowd.members) return true;
    } else if (character === list || character === object) {
      containers += 1;
      values += 1;
      open.push(0);
    } else if (character === listEnd || character === objectEnd) open.pop();
    if (containers > crowd.containers || values > crowd.values) return true;
  }
  return false;
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
