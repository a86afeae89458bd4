/**
 * The usual constants of bm25. `saturation`: how soon a repeated token stops counting. `lengthWeight`: how much the length of a text lowers
 * its score.
 */
const saturation = 1.2;
const lengthWeight = 0.75;

/** The tokens of a text, each with its weight. */
export type Bag = ReadonlyMap<string, number>;

/** One token of a question. */
export interface AskedToken {
  /** A text has this token if it has any one of these variants. */
  readonly variants: readonly string[];
  readonly weight: number;
}

/** The bags that hold a token, and the weight of the token in each of them. */
interface Postings {
  readonly bags: readonly number[];
  readonly counts: readonly number[];
}

const nowhere: Postings = { bags: [], counts: [] };

/** Ranks texts by the tokens that they share with a question (bm25). A question reads only the entries of its own tokens. */
export class BagIndex {
  readonly #postings = new Map<string, { readonly bags: number[]; readonly counts: number[] }>();
  /** For each text, how much its length lowers its score. */
  readonly #held: Float64Array;

  constructor(bags: readonly Bag[]) {
    const lengths = bags.map((bag) => [...bag.values()].reduce((sum, count) => sum + count, 0));
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    this.#held = Float64Array.from(
      lengths,
      (length) => saturation * (1 - lengthWeight + (lengthWeight * length) / Math.max(1, average)),
    );
    for (const [index, bag] of bags.entries()) {
      for (const [token, count] of bag) this.#add(token, index, count);
    }
  }

  /**
   * The indexes of the texts that share a token with the question, the best first. Of texts with equal scores, the earlier one comes first.
   */
  ranked(asked: readonly AskedToken[]): readonly number[] {
    const scores = new Float64Array(this.#held.length);
    for (const { variants, weight } of asked) {
      const { bags, counts } = this.#holders(variants);
      const worth = weight * Math.log(1 + (scores.length - bags.length + 0.5) / (bags.length + 0.5));
      bags.forEach((index, place) => {
        const count = counts[place] ?? 0;
        const score = (count * (saturation + 1)) / (count + (this.#held[index] ?? saturation));
        scores[index] = (scores[index] ?? 0) + worth * score;
      });
    }
    const shared: number[] = [];
    scores.forEach((score, index) => {
      if (score > 0) shared.push(index);
    });
    return shared.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  }

  /** The bags that hold any one of the variants. Most tokens have one variant that any bag holds, and then nothing is copied. */
  #holders(variants: readonly string[]): Postings {
    let holders = nowhere;
    for (const variant of variants) {
      const postings = this.#postings.get(variant);
      if (postings !== undefined) holders = holders === nowhere ? postings : joined(holders, postings);
    }
    return holders;
  }

  #add(token: string, index: number, count: number): void {
    const postings = this.#postings.get(token) ?? { bags: [], counts: [] };
    postings.bags.push(index);
    postings.counts.push(count);
    this.#postings.set(token, postings);
  }
}

/** A bag that holds both tokens counts with the larger weight. */
function joined(one: Postings, other: Postings): Postings {
  const counts = new Map(one.bags.map((index, place) => [index, one.counts[place] ?? 0]));
  other.bags.forEach((index, place) => {
    counts.set(index, Math.max(counts.get(index) ?? 0, other.counts[place] ?? 0));
  });
  return { bags: [...counts.keys()], counts: [...counts.values()] };
}
