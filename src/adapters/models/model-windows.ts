/** What is known of the window of one model beside what its entry says. */
export interface KnownWindow {
  /** The most tokens that the model takes and gives, as its server or a refusal of it has told. Never more than its entry says. */
  told: number;
  /** The tokens of the smallest request that the provider has found too long, and has taken when it was shortened. */
  tooMany: number;
  /** Whether the log has been told that the entry says too much. */
  isWarnedOf: boolean;
}

/** Most models of which something is kept. */
const mostModels = 1_000;

/** What this process has learned of the windows of models. All entries with the same address and model share it, and it outlives reloads. */
export class ModelWindows {
  readonly #known = new Map<string, KnownWindow>();

  /** What is known of a model, to be read and written. `of` names its address and its model. */
  at(of: string): KnownWindow {
    const known = this.#known.get(of) ?? { told: Infinity, tooMany: Infinity, isWarnedOf: false };
    this.#known.set(of, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostModels) break;
      this.#known.delete(oldest);
    }
    return known;
  }
}
