/** PostgreSQL stores no text with the character 0. This character, which means nothing in Unicode, begins what stands for it. */
const mark = '\u{10FFFE}';

/** The text as PostgreSQL can store it. Different texts stay different. */
export function storedText(text: string): string {
  if (!text.includes('\0') && !text.includes(mark)) return text;
  return text.replaceAll(mark, `${mark}1`).replaceAll('\0', `${mark}0`);
}

/** The text that was stored with `storedText`. */
export function readText(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replaceAll(`${mark}0`, '\0').replaceAll(`${mark}1`, mark);
}
