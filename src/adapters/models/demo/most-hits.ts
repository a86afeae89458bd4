import { termsOf } from './lexicon.ts';
import { wordsOf } from './words.ts';

/** The least number of words that question and description must share. Fewer words are shared by chance. */
const leastHits = 2;
const shortestTerm = 4;

/** The name of the entry that shares the most words with a question. Undefined when none fits. */
export function mostHits(
  question: string,
  entries: readonly { readonly name: string; readonly words: string }[],
): string | undefined {
  const asked = [...termsOf(wordsOf(question))].filter((term) => term.length >= shortestTerm);
  const rated = entries.map(({ name, words }) => {
    const own = termsOf(wordsOf(`${name.replaceAll('-', ' ')} ${words}`));
    return { name, hits: asked.filter((term) => own.has(term)).length };
  });
  const [best] = rated.toSorted((one, other) => other.hits - one.hits);
  return best !== undefined && best.hits >= leastHits ? best.name : undefined;
}
