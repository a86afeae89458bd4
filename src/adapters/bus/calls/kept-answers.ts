import { keptMs, mostKept, mostKeptBytes } from '../bus-limits.ts';

/** What came of a call: the JSON text of its answer, or the code of its fault. */
export type Outcome = { readonly text: string } | { readonly code: string };

interface KeptAnswer {
  readonly outcome: Promise<Outcome>;
  /** The attempts of the call that have come. */
  readonly attempts: Set<number>;
  readonly keptUntil: number;
  bytes: number;
}

/** Keeps the answers to calls for a minute, so that a call that comes again gets the same answer. The oldest ones make room. */
export class KeptAnswers {
  readonly #elapsed: () => number;
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  get(id: string): Pick<KeptAnswer, 'outcome' | 'attempts'> | undefined {
    this.#makeRoom();
    return this.#answers.get(id);
  }

  /** Keeps the answer to a call that has come in this attempt. */
  keep(id: string, attempt: number, outcome: Promise<Outcome>): void {
    const kept: KeptAnswer = { outcome, attempts: new Set([attempt]), keptUntil: this.#elapsed() + keptMs, bytes: 0 };
    this.#answers.set(id, kept);
    void outcome.then((answer) => {
      if (this.#answers.get(id) !== kept || !('text' in answer)) return;
      kept.bytes = answer.text.length;
      this.#bytes += kept.bytes;
      this.#makeRoom();
    });
    this.#makeRoom();
  }

  #makeRoom(): void {
    const now = this.#elapsed();
    for (const [id, { keptUntil, bytes }] of this.#answers) {
      if (keptUntil > now && this.#answers.size <= mostKept && this.#bytes <= mostKeptBytes) return;
      this.#answers.delete(id);
      this.#bytes -= bytes;
    }
  }
}
