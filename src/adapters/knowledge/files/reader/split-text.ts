/** The most characters of a part: about 300 tokens, so that five parts leave room for the rest of a prompt. */
export const partLength = 1_200;

/** The most characters in which sentences are looked for at once. */
const windowLength = 20_000;

/** Cuts a text into parts of at most `partLength` characters: between paragraphs, else between sentences, else between words. */
export function splitText(text: string, language: string): readonly string[] {
  const pieces = text.split(/\n{2,}/).flatMap((paragraph) => {
    if (paragraph.length <= partLength) return [`${paragraph}\n\n`];
    return [...sentencesOf(paragraph, language), '\n\n'];
  });
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces) {
    if (part !== '' && part.length + piece.trimEnd().length > partLength) {
      parts.push(part);
      part = '';
    }
    part += piece;
  }
  parts.push(part);
  return parts.map((one) => one.trim()).filter((one) => one !== '');
}

function* sentencesOf(paragraph: string, language: string): Generator<string> {
  const segmenter = segmenterOf(language);
  for (const window of cut(paragraph, windowLength)) {
    for (const { segment } of segmenter.segment(window)) yield* cut(segment, partLength);
  }
}

/** Cuts behind a space where there is one, and never through a character. */
function* cut(text: string, length: number): Generator<string> {
  let start = 0;
  while (text.length - start > length) {
    const space = text.lastIndexOf(' ', start + length - 1);
    let end = space > start + length / 2 ? space + 1 : start + length;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const segmenter = new Intl.Segmenter(/^[a-z]{2}$/.test(language) ? language : 'en', { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return segmenter;
}
