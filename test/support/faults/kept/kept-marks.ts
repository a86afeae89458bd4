import type { Mark } from './kept-record.ts';

/**
 * The state of a mark. `awaited`: the mark may be there or not. `told`: the server has promised it. `seen`: the server has shown it to its
 * user. `gone`: the server has acknowledged its deletion, or the mark is not shown any more.
 */
type State = 'awaited' | 'told' | 'seen' | 'gone';

interface Known {
  state: State;
  /** A request to delete the mark was never answered. The mark may be there or not. The next look at it decides. */
  isDoubtful: boolean;
  /** If the mark is missing at the next look, it must never appear later. */
  isSettled: boolean;
  goneAt: number;
  readonly conversation: () => string | undefined;
}

/** What the oracle knows of one user's marks of one kind, and the faults that it has found in what the server shows the user. */
export class KeptMarks {
  readonly faults: string[] = [];
  readonly #name: string;
  readonly #isAtOnce: boolean;
  readonly #known = new Map<Mark, Known>();

  /**
   * `name` is the beginning of each fault's sentence. With `isAtOnce` a promised mark must be there at once. Otherwise it may come later.
   */
  constructor(name: string, { isAtOnce }: { readonly isAtOnce: boolean }) {
    this.#name = name;
    this.#isAtOnce = isAtOnce;
  }

  /** Adds a mark that may be shown from now on. */
  add(mark: Mark, state: State, conversation: () => string | undefined = () => undefined): void {
    this.#known.set(mark, { state, isDoubtful: false, isSettled: false, goneAt: Infinity, conversation });
  }

  /** Records that the server has promised the mark. */
  promise(mark: Mark): void {
    const known = this.#known.get(mark);
    if (known?.state === 'awaited') known.state = 'told';
  }

  /** Records that the server has acknowledged the deletion of the mark. */
  remove(mark: Mark, at: number): void {
    const known = this.#known.get(mark);
    if (known !== undefined && known.state !== 'gone') Object.assign(known, { state: 'gone', goneAt: at });
  }

  /** Records that the server has not answered the request to delete the mark. */
  doubt(mark: Mark): void {
    const known = this.#known.get(mark);
    if (known === undefined || known.state === 'gone') return;
    known.isDoubtful = true;
  }

  /** Ends the promises of marks that were not seen yet. With `isFinal` such a mark must never appear, unless the next look shows it. */
  release({ isFinal }: { readonly isFinal: boolean }): void {
    for (const known of this.#known.values()) {
      if (known.state !== 'told' && known.state !== 'awaited') continue;
      known.state = 'awaited';
      known.isSettled ||= isFinal;
    }
  }

  /** Checks a look at all marks that are there. */
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

  /** The marks that the server has promised and never shown. */
  open(): readonly Mark[] {
    return [...this.#known].flatMap(([mark, { state, isDoubtful }]) => (state === 'told' && !isDoubtful ? [mark] : []));
  }

  /** The marks of a conversation. Without an argument, all marks. */
  all(conversation?: string): readonly Mark[] {
    return [...this.#known].flatMap(([mark, known]) =>
      conversation === undefined || known.conversation() === conversation ? [mark] : [],
    );
  }

  /** The marks that were gone before a moment. */
  goneBy(at: number): ReadonlySet<Mark> {
    return new Set([...this.#known].flatMap(([mark, { goneAt }]) => (goneAt < at ? [mark] : [])));
  }
}
