import { textHashOf } from '../../text-hash.ts';

/** The parts of a chunk that make up its meaning. */
interface MeantChunk {
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** The text from which the vector of a chunk is made. The title and the headings say what its sentences leave out. */
export function meantText({ title, headings, text }: MeantChunk): string {
  return `${headings === '' ? title : `${title} › ${headings}`}\n${text}`;
}

/** Two chunks with the same hash have the same vector. */
export function textHash(chunk: MeantChunk): string {
  return textHashOf(meantText(chunk));
}
