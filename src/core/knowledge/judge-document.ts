import { mayRead, type Reader } from '../identity/may-read.ts';
import type { FoundDocument } from '../ports/knowledge-source.ts';

/** The threshold where neither the configuration nor the source names one. */
export const usualMinScore = 2;

/** Whether each of what a document says of its readers lets this one in. */
export function isForReader(document: FoundDocument, reader: Reader): boolean {
  return [document, ...(document.restrictions ?? [])].every((restricted) => mayRead(restricted, reader));
}

/** A threshold of 0 lets everything through. */
export function isEnough(score: number, threshold: number): boolean {
  return threshold === 0 || score >= threshold;
}
