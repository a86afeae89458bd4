import { fuseRanks } from '../base/fuse-ranks.ts';
import type { Term, TextWords } from '../ports/text-words.ts';
import type { Tool } from '../tools/tool.ts';
import { type Bag, BagIndex } from './bag-index.ts';

/** The weight of a word in the name of a tool. A word of the description has the weight 1. */
const weightOfName = 3;
/** The weight of a word of an earlier text. A word of the message has the weight 1. */
const weightOfRecent = 0.3;
/** Most terms of a text that are read. */
const mostTerms = 64;
/** Most earlier texts that are read, counted from the last one, and most characters of each. */
const mostRecent = 4;
const longestRecent = 300;

/** What a tool is looked for with. */
export interface AskedWords {
  readonly text: string;
  /** Earlier texts of the conversation, the oldest first. Their words count less. */
  readonly recent: readonly string[];
}

/** Finds tools by the words and by parts of the words of their names, descriptions and examples (contract/tool-filter.md#choice). */
export class ToolIndex {
  readonly tools: readonly Tool[];
  readonly #words: TextWords;
  readonly #byWord: BagIndex;
  readonly #byTrigram: BagIndex;

  constructor(tools: readonly Tool[], words: TextWords) {
    this.tools = tools;
    this.#words = words;
    const terms = tools.map((tool) => this.#weighted(tool));
    this.#byWord = new BagIndex(terms.map((weighted) => bagOf(weighted, tokensOf)));
    this.#byTrigram = new BagIndex(terms.map((weighted) => bagOf(weighted, trigramsOf)));
  }

  /** The tools that share words, or parts of words, with the question, the best first. */
  byWordsAndParts(asked: AskedWords): readonly Tool[] {
    const [byWord, byTrigram] = [this.#byWord.question(), this.#byTrigram.question()];
    for (const { term, weight } of this.#asked(asked)) {
      byWord.ask(term.variants, weight);
      for (const trigram of trigramsOf(term)) byTrigram.ask([trigram], weight);
    }
    return this.#named(fuseRanks([byWord.ranked(), byTrigram.ranked()]));
  }

  /** The tools that share words with the question, the best first. */
  byWords(asked: AskedWords): readonly Tool[] {
    const byWord = this.#byWord.question();
    for (const { term, weight } of this.#asked(asked)) byWord.ask(term.variants, weight);
    return this.#named(byWord.ranked());
  }

  #named(ranked: readonly number[]): readonly Tool[] {
    return ranked.flatMap((index) => this.tools[index] ?? []);
  }

  #asked({ text, recent }: AskedWords): readonly WeightedTerm[] {
    const now = this.#words.termsOf(text).slice(0, mostTerms);
    const asked = now.map((term) => ({ term, weight: 1 }));
    if (recent.length === 0) return asked;
    const known = new Set(now.map(keyOf));
    const before = new Map<string, Term>();
    for (const said of recent.slice(-mostRecent)) {
      for (const term of this.#words.termsOf(said.slice(0, longestRecent)).slice(0, mostTerms)) {
        if (!known.has(keyOf(term))) before.set(keyOf(term), term);
      }
    }
    return [...asked, ...[...before.values()].map((term) => ({ term, weight: weightOfRecent }))];
  }

  #weighted({ name, title, description, examples = [] }: Tool): readonly WeightedTerm[] {
    const ofName = this.#words.termsOf(`${name.replaceAll('_', ' ')} ${title}`);
    const others = [description, ...examples].flatMap((text) => this.#words.termsOf(text));
    return [...ofName.map((term) => ({ term, weight: weightOfName })), ...others.map((term) => ({ term, weight: 1 }))];
  }
}

interface WeightedTerm {
  readonly term: Term;
  readonly weight: number;
}

function keyOf({ variants }: Term): string {
  return variants.join(' ');
}

function bagOf(weighted: readonly WeightedTerm[], partsOf: (term: Term) => readonly string[]): Bag {
  const bag = new Map<string, number>();
  for (const { term, weight } of weighted) {
    for (const part of partsOf(term)) bag.set(part, (bag.get(part) ?? 0) + weight);
  }
  return bag;
}

/** In scripts without spaces a single character can be a word, so each character of a pair is a token too. */
function tokensOf({ variants, isPair }: Term): readonly string[] {
  return isPair ? [...variants, ...variants.flatMap((pair) => (pair.length > 1 ? Array.from(pair) : []))] : variants;
}

/** The parts of three letters of a word. `^` and `$` mark the start and the end of the word. Pairs of characters are not split. */
function trigramsOf({ variants, isPair }: Term): readonly string[] {
  if (isPair) return [];
  const longest = variants.reduce((one, other) => (other.length > one.length ? other : one), '');
  const letters = Array.from(`^${longest}$`);
  return letters.slice(2).map((letter, index) => `${letters[index] ?? ''}${letters[index + 1] ?? ''}${letter}`);
}
