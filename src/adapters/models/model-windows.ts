/** Milliseconds for which the limit of a refusal is believed. The words of a refusal may repeat what a stranger has written. */
const believedMs = 10 * 60_000;

/** How much a model takes, in tokens. */
export interface WindowLimit {
  /** The most that the model takes and gives. */
  readonly told: number;
  /** What is too much for it. */
  readonly tooMany: number;
}

const unlimited: WindowLimit = { told: Infinity, tooMany: Infinity };

/** What is known of the window of one model beside what its entry says. */
export class KnownWindow {
  /** Whether the log has been told that the entry says too much. */
  isWarnedOf = false;
  #learned = unlimited;
  #learnedAt = 0;
  #taken = 0;

  /** The limit that refusals of the last minutes have told. */
  get limit(): WindowLimit {
    return Math.abs(Date.now() - this.#learnedAt) > believedMs ? unlimited : this.#learned;
  }

  /** The model has taken so many tokens. No limit below is believed any more. */
  took(tokens: number): void {
    if (tokens <= this.#taken) return;
    this.#taken = tokens;
    const { told, tooMany } = this.#learned;
    this.#learned = { told: this.#believed(told), tooMany: this.#believed(tooMany) };
  }

  /** A request was refused as too long, and was taken once it was shortened to this limit. */
  learn({ told, tooMany }: WindowLimit): void {
    const known = this.limit;
    const next = {
      told: Math.min(known.told, this.#believed(told)),
      tooMany: Math.min(known.tooMany, this.#believed(tooMany)),
    };
    if (next.told === known.told && next.tooMany === known.tooMany) return;
    this.#learned = next;
    this.#learnedAt = Date.now();
  }

  #believed(tokens: number): number {
    return tokens < this.#taken ? Infinity : tokens;
  }
}

/** Most models of which something is kept. */
const mostModels = 1_000;

/** What this process has learned of the windows of models. All entries with the same address and model share it, and it outlives reloads. */
export class ModelWindows {
  readonly #known = new Map<string, KnownWindow>();

  /** What is known of a model, to be read and written. `of` names its address and its model. */
  at(of: string): KnownWindow {
    const known = this.#known.get(of) ?? new KnownWindow();
    this.#known.set(of, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostModels) break;
      this.#known.delete(oldest);
    }
    return known;
  }
}
