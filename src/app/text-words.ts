import type { TextWords } from '../core/ports/text-words.ts';

/** Reads the words of short texts. Loaded with the first text that is compared with another: the lists of words are large. */
export function loadTextWords(): () => Promise<TextWords> {
  let words: Promise<TextWords> | undefined;
  return () =>
    (words ??= import('../adapters/shared/words/short-text-words.ts').then((loaded) => new loaded.ShortTextWords()));
}
