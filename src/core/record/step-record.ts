import type { TracedStep, TurnTrace } from '../ports/turn-trace.ts';

/** What a step may give: JSON that is neither null nor undefined. */
export type StepValue = string | number | boolean | object;

/**
 * The effects of a turn under their keys. A turn is an ordinary function that gets every effect through `step`: run again
 * with the same record, the function goes the same way up to the first effect that is not recorded.
 *
 * A key is the path of the code that asks. A value is JSON and never changes afterwards. A rejection is not recorded.
 */
export class StepRecord {
  readonly #values = new Map<string, unknown>();
  readonly #visited = new Set<string>();
  readonly #inherited: ReadonlySet<string> | undefined;
  /** Told of each value as it is recorded. */
  onPut: ((key: string, value: unknown) => void) | undefined;

  /** Follows the turn; undefined when nobody does. */
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
   * The recorded value of `key`; else what `effect` gives, which is recorded. `traced`: what the step is to whoever follows the turn.
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

  /** The same for an effect that is there at once. */
  now<Value extends StepValue>(key: string, effect: () => Value, traced?: TracedStep): Value {
    this.#visit(key);
    const known = this.#values.get(key);
    // Recorded under this key by the same code.
    if (known !== undefined) return known as Value;
    const value = traced === undefined || this.trace === undefined ? effect() : this.trace.now(traced, effect);
    this.put(key, value);
    return value;
  }

  /** A wait that records nothing, as a step to whoever follows the turn. */
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
