import { mayRead, type Reader } from '../identity/may-read.ts';
import type { FoundDocument } from '../ports/knowledge-source.ts';

/** The threshold that applies when neither the configuration nor the source sets one. */
export const usualMinScore = 2;

/** Whether a reader meets every restriction of a document. */
export function isForReader(document: FoundDocument, reader: Reader): boolean {
  return [document, ...(document.restrictions ?? [])].every((restricted) => mayRead(restricted, reader));
}

/** Whether a score reaches the threshold. With a threshold of 0 every score is enough. */
export function isEnough(score: number, threshold: number): boolean {
  return threshold === 0 || score >= threshold;
}
