/**
 * The usual constants of bm25. `saturation`: how soon a repeated token stops counting. `lengthWeight`: how much the length of a text lowers
 * its score.
 */
const saturation = 1.2;
const lengthWeight = 0.75;

/** The tokens of a text, each with its weight. */
export type Bag = ReadonlyMap<string, number>;

/** The texts that hold a token. What is at one place of these lists belongs together. */
interface Postings {
  readonly texts: readonly number[];
  readonly weights: readonly number[];
  /** What the token adds to the score of the text, at the weight 1. */
  readonly scores: readonly number[];
}

/** Finds texts by the tokens that they share with a question (bm25). A question reads only the entries of its own tokens. */
export class BagIndex {
  readonly #postings: ReadonlyMap<string, Postings>;
  /** For each text, how much its length lowers its score. */
  readonly #held: Float64Array;

  constructor(bags: readonly Bag[]) {
    const lengths = bags.map((bag) => [...bag.values()].reduce((sum, weight) => sum + weight, 0));
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    this.#held = Float64Array.from(
      lengths,
      (length) => saturation * (1 - lengthWeight + (lengthWeight * length) / Math.max(1, average)),
    );
    const holders = new Map<string, Map<number, number>>();
    for (const [text, bag] of bags.entries()) {
      for (const [token, weight] of bag)
        holders.set(token, (holders.get(token) ?? new Map<number, number>()).set(text, weight));
    }
    this.#postings = new Map([...holders].map(([token, weights]) => [token, this.#scored(weights)]));
  }

  /** Begins a question that asks for nothing yet. */
  question(): BagQuestion {
    return new BagQuestion(this.#held.length, (variants) => this.#holding(variants));
  }

  /** The texts that hold any one of the variants. Undefined where there are none. */
  #holding(variants: readonly string[]): Postings | undefined {
    const [only = ''] = variants;
    if (variants.length === 1) return this.#postings.get(only);
    const found = variants.flatMap((variant) => this.#postings.get(variant) ?? []);
    if (found.length <= 1) return found[0];
    // A text that holds several of them counts with the largest weight.
    const weights = new Map<number, number>();
    for (const postings of found) {
      postings.texts.forEach((text, place) => {
        weights.set(text, Math.max(weights.get(text) ?? 0, postings.weights[place] ?? 0));
      });
    }
    return this.#scored(weights);
  }

  #scored(weightsOfTexts: ReadonlyMap<number, number>): Postings {
    const [texts, weights] = [[...weightsOfTexts.keys()], [...weightsOfTexts.values()]];
    const rarity = Math.log(1 + (this.#held.length - texts.length + 0.5) / (texts.length + 0.5));
    const scores = weights.map((weight, place) => {
      const held = this.#held[texts[place] ?? 0] ?? saturation;
      return (rarity * weight * (saturation + 1)) / (weight + held);
    });
    return { texts, weights, scores };
  }
}

/** Collects the tokens of one question. */
export class BagQuestion {
  readonly #scores: number[];
  readonly #holding: (variants: readonly string[]) => Postings | undefined;

  constructor(size: number, holding: (variants: readonly string[]) => Postings | undefined) {
    this.#scores = new Array<number>(size).fill(0);
    this.#holding = holding;
  }

  /** Asks for a token. A text has it if it has any one of these variants. */
  ask(variants: readonly string[], weight: number): void {
    const found = this.#holding(variants);
    found?.texts.forEach((text, place) => {
      this.#scores[text] = (this.#scores[text] ?? 0) + weight * (found.scores[place] ?? 0);
    });
  }

  /**
   * The indexes of the texts that share a token with the question, the best first. Of texts with equal scores, the earlier one comes first.
   */
  ranked(): readonly number[] {
    const shared: number[] = [];
    this.#scores.forEach((score, text) => {
      if (score > 0) shared.push(text);
    });
    return shared.sort((one, other) => (this.#scores[other] ?? 0) - (this.#scores[one] ?? 0));
  }
}
