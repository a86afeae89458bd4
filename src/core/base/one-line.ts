/** Control and line-breaking characters, those that are invisible or change the direction of text, and space. */
const breaking = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** Turns a text of somebody else into one line of plain characters, without space around it, for people and models to read. */
export function oneLine(text: string): string {
  return text.replace(breaking, ' ').trim();
}
