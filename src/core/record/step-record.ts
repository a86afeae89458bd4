import type { TracedStep, TurnTrace } from '../ports/turn-trace.ts';

/** The value of a step: JSON that is neither null nor undefined. */
export type StepValue = string | number | boolean | object;

/**
 * The recorded effects of a turn, each under its key. A turn is an ordinary function that gets every effect through `step`. When the
 * function runs again with the same record, it goes the same way up to the first effect that is not recorded.
 *
 * A key is the path of the code that asks for the effect. A value is JSON and never changes afterwards. A rejection is not recorded.
 */
export class StepRecord {
  readonly #values = new Map<string, unknown>();
  readonly #visited = new Set<string>();
  readonly #inherited: ReadonlySet<string> | undefined;
  /** Called with each value when the value is recorded. */
  onPut: ((key: string, value: unknown) => void) | undefined;

  /** The trace of the turn; undefined when the turn is not traced. */
  readonly trace: TurnTrace | undefined;

  /** `kept`: what an earlier run of the turn has recorded. */
  constructor(kept?: Iterable<readonly [string, unknown]>, trace?: TurnTrace) {
    this.trace = trace;
    if (kept === undefined) return;
    for (const [key, value] of kept) this.#values.set(key, value);
    this.#inherited = new Set(this.#values.keys());
  }

  /** Whether an earlier run of the turn has recorded something. */
  get isReplay(): boolean {
    return this.#inherited !== undefined;
  }

  /**
   * Returns the recorded value of `key`. When there is none, runs `effect` and records its value. `traced` describes the step for the
   * trace of the turn.
   * @throws Error when the turn has asked for this key before: two effects would share one value.
   */
  async step<Value extends StepValue>(key: string, effect: () => Promise<Value>, traced?: TracedStep): Promise<Value> {
    this.#visit(key);
    const known = this.#values.get(key);
    // Recorded under this key by the same code.
    if (known !== undefined) return known as Value;
    const value = await (traced === undefined || this.trace === undefined ? effect() : this.trace.step(traced, effect));
    this.put(key, value);
    return value;
  }

  /** As `step`, for an effect that gives its value synchronously. */
  now<Value extends StepValue>(key: string, effect: () => Value, traced?: TracedStep): Value {
    this.#visit(key);
    const known = this.#values.get(key);
    // Recorded under this key by the same code.
    if (known !== undefined) return known as Value;
    const value = traced === undefined || this.trace === undefined ? effect() : this.trace.now(traced, effect);
    this.put(key, value);
    return value;
  }

  /** Waits for `until` and records nothing. `traced` describes the wait for the trace of the turn. */
  wait<Value>(until: Promise<Value>, traced: TracedStep): Promise<Value> {
    return this.trace === undefined ? until : this.trace.step(traced, () => until);
  }

  /** Records something that happened to the turn from outside, or is about to happen. The first value of a key stays. */
  put(key: string, value: StepValue): void {
    if (this.#values.has(key)) return;
    this.#values.set(key, value);
    this.onPut?.(key, value);
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Whether `key` stood in the record before this run of the turn. */
  inherited(key: string): boolean {
    return this.#inherited?.has(key) === true;
  }

  hasBelow(prefix: string): boolean {
    for (const key of this.#values.keys()) if (key.startsWith(prefix)) return true;
    return false;
  }

  entries(): IterableIterator<[string, unknown]> {
    return this.#values.entries();
  }

  #visit(key: string): void {
    if (this.#visited.has(key)) throw new Error(`two steps of one turn have the key ${key}`);
    this.#visited.add(key);
  }
}
