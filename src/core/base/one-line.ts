/** Control and line-breaking characters, those that are invisible or change the direction of text, and space. */
const breaking = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** A text of somebody else as one line of plain characters, without space around it, as people and models are to read it. */
export function oneLine(text: string): string {
  return text.replace(breaking, ' ').trim();
}
