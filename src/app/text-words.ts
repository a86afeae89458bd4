import type { TextWords } from '../core/ports/text-words.ts';

/**
 * Loads the code that reads the words of short texts. The lists of words are large, so it is loaded only when the first texts are compared.
 */
export function loadTextWords(): () => Promise<TextWords> {
  let words: Promise<TextWords> | undefined;
  return () =>
    (words ??= import('../adapters/shared/words/short-text-words.ts').then((loaded) => new loaded.ShortTextWords()));
}
