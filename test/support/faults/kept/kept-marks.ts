import type { Mark } from './kept-record.ts';

/**
 * `awaited`: it may be there or not. `told`: the server has promised it. `seen`: its user was shown it. `gone`: it was told to be deleted,
 * or was seen before and then no more.
 */
type State = 'awaited' | 'told' | 'seen' | 'gone';

interface Known {
  state: State;
  /** A deletion was asked for that was never answered: it is there or it is not, and what is seen next decides. */
  isDoubtful: boolean;
  /** What was asked for earlier and is not there by now does not come any more. */
  isSettled: boolean;
  goneAt: number;
  readonly conversation: () => string | undefined;
}

/** What the oracle knows of the marks of one user and one kind, and the faults that it finds in what the user is shown. */
export class KeptMarks {
  readonly faults: string[] = [];
  readonly #name: string;
  readonly #isAtOnce: boolean;
  readonly #known = new Map<Mark, Known>();

  /** `name` begins the sentences of faults. `isAtOnce`: what is promised is there already, and does not come later. */
  constructor(name: string, { isAtOnce }: { readonly isAtOnce: boolean }) {
    this.#name = name;
    this.#isAtOnce = isAtOnce;
  }

  /** It may come from now on. */
  add(mark: Mark, state: State, conversation: () => string | undefined = () => undefined): void {
    this.#known.set(mark, { state, isDoubtful: false, isSettled: false, goneAt: Infinity, conversation });
  }

  /** The server has promised it. */
  promise(mark: Mark): void {
    const known = this.#known.get(mark);
    if (known?.state === 'awaited') known.state = 'told';
  }

  /** Its deletion was acknowledged. */
  remove(mark: Mark, at: number): void {
    const known = this.#known.get(mark);
    if (known !== undefined && known.state !== 'gone') Object.assign(known, { state: 'gone', goneAt: at });
  }

  /** Its deletion was asked for, and never answered. */
  doubt(mark: Mark): void {
    const known = this.#known.get(mark);
    if (known === undefined || known.state === 'gone') return;
    known.isDoubtful = true;
  }

  /** A promise of something that was not seen yet holds no more. With `isFinal` it does not come at all, unless it is seen next. */
  release({ isFinal }: { readonly isFinal: boolean }): void {
    for (const known of this.#known.values()) {
      if (known.state !== 'told' && known.state !== 'awaited') continue;
      known.state = 'awaited';
      known.isSettled ||= isFinal;
    }
  }

  /** Everything that is there was shown. */
  saw(present: readonly Mark[], at: number): void {
    const shown = new Set<Mark>();
    for (const mark of present) {
      if (shown.has(mark)) this.faults.push(`${this.#name}: ${mark} is there twice`);
      shown.add(mark);
      this.#shown(mark);
    }
    for (const [mark, known] of this.#known) if (!shown.has(mark)) this.#missing(mark, known, at);
  }

  #shown(mark: Mark): void {
    const known = this.#known.get(mark);
    if (known === undefined) this.faults.push(`${this.#name}: ${mark} is there, and nobody asked for it`);
    else if (known.state === 'gone') this.faults.push(`${this.#name}: ${mark} was deleted and has come back`);
    else Object.assign(known, { state: 'seen', isDoubtful: false, isSettled: false });
  }

  #missing(mark: Mark, known: Known, at: number): void {
    if (known.state === 'gone') return;
    const isDue = known.state === 'seen' || (known.state === 'told' && this.#isAtOnce);
    if (isDue && !known.isDoubtful) this.faults.push(`${this.#name}: ${mark} is lost (${known.state})`);
    if (isDue || known.isSettled) this.remove(mark, at);
  }

  /** Promises that were never kept. */
  open(): readonly Mark[] {
    return [...this.#known].flatMap(([mark, { state, isDoubtful }]) => (state === 'told' && !isDoubtful ? [mark] : []));
  }

  /** Those of a conversation; without one, all. */
  all(conversation?: string): readonly Mark[] {
    return [...this.#known].flatMap(([mark, known]) =>
      conversation === undefined || known.conversation() === conversation ? [mark] : [],
    );
  }

  /** Those that were gone by a moment. */
  goneBy(at: number): ReadonlySet<Mark> {
    return new Set([...this.#known].flatMap(([mark, { goneAt }]) => (goneAt < at ? [mark] : [])));
  }
}
