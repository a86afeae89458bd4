/** Characters that two neighbouring parts share, so that what is looked for is not cut in two and missed. */
const overlap = 500;

/** A text in parts of at most `longest` characters, which overlap. A short text is one part. */
export function partsOf(text: string, longest: number): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; parts.length === 0 || from + overlap < text.length; from += longest - overlap)
    parts.push(text.slice(from, from + longest));
  return parts;
}
