import type { Term, TextWords } from '../../../core/ports/text-words.ts';
import { termsAmong, type TermLimits } from './question-terms.ts';

/** The languages of the product that put spaces between their words. */
const languages = ['en', 'it', 'fr', 'de', 'es', 'pt', 'nl', 'pl'];

const limits: TermLimits = { terms: 400, languages: languages.length };

/** How many texts are kept with their terms, and how long such a text may be. The same facts are read with every message of their user. */
const kept = { most: 2_000, longest: 300 } as const;

/**
 * The terms of texts in any language of the product. A word also counts unchanged, but without its accents, because a name is the same in a
 * question of another language.
 */
export class ShortTextWords implements TextWords {
  readonly #kept = new Map<string, readonly Term[]>();

  termsOf(text: string): readonly Term[] {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const terms = termsAmong(text, { languages, limits, stemmedAs: (spoken) => [...spoken, ''] });
    if (text.length > kept.longest) return terms;
    if (this.#kept.size >= kept.most) this.#kept.clear();
    this.#kept.set(text, terms);
    return terms;
  }
}
