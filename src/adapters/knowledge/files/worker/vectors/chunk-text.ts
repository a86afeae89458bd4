import { createHash } from 'node:crypto';

/** A chunk as far as its meaning goes. */
interface MeantChunk {
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** What the vector of a chunk is of. The title and the headings say what its sentences leave out. */
export function meantText({ title, headings, text }: MeantChunk): string {
  return `${headings === '' ? title : `${title} › ${headings}`}\n${text}`;
}

/** Two chunks with the same hash have the same vector. */
export function textHash(chunk: MeantChunk): string {
  return createHash('sha256').update(meantText(chunk)).digest('base64url').slice(0, 27);
}
