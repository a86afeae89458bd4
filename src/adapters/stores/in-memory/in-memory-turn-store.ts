import { StepRefused } from '../../../core/ports/step-refused.ts';
import type {
  HeadersAsked,
  KeptTurn,
  NewTurn,
  TurnHold,
  TurnLines,
  TurnStore,
} from '../../../core/ports/turn-store.ts';
import { turnConflict } from '../turn-steps.ts';
import { InMemoryDeliveryStore } from './in-memory-delivery-store.ts';

interface StoredTurn {
  readonly header: string;
  readonly owner: string | null;
  readonly savedAt: number;
  epoch: number;
  forgetAt: number | null;
  /** How many lines the batches hold together. */
  lines: number;
  readonly batches: TurnLines[];
}

/**
 * The records of turns for `storage.type: memory` (contract/restarts.md#turns). The store obeys the same rules as the stored one. Its
 * records end with the process.
 */
export class InMemoryTurnStore implements TurnStore {
  /** The turns in the order of their creation. */
  readonly #turns = new Map<string, StoredTurn>();
  /** What is told of turns that have ended. */
  readonly deliveries = new InMemoryDeliveryStore();

  create({ turnId, header, owner, lines }: NewTurn, at: number): Promise<void> {
    return settled(() => {
      const fresh = { header, owner: owner ?? null, savedAt: at, epoch: 1, forgetAt: null, lines: 0, batches: [] };
      const turn = this.#turns.get(turnId) ?? fresh;
      if (turn.header !== header || turn.epoch !== 1) throw turnConflict(turnId);
      add(turnId, turn, lines);
      this.#turns.set(turnId, turn);
    });
  }

  append(...[hold, lines]: Parameters<TurnStore['append']>): Promise<void> {
    return settled(() => {
      add(hold.turnId, this.#held(hold), lines);
    });
  }

  end(...[hold, lines, { forgetAt, delivery }]: Parameters<TurnStore['end']>): Promise<void> {
    return settled(() => {
      const turn = this.#held(hold);
      add(hold.turnId, turn, lines);
      turn.forgetAt = forgetAt;
      if (delivery !== undefined) this.deliveries.add(hold.turnId, delivery);
    });
  }

  ids(): Promise<readonly string[]> {
    const oldestFirst = [...this.#turns].sort(
      ([oneId, one], [otherId, other]) => one.savedAt - other.savedAt || (oneId < otherId ? -1 : 1),
    );
    return Promise.resolve(oldestFirst.map(([turnId]) => turnId));
  }

  read(turnId: string): Promise<KeptTurn | undefined> {
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return Promise.resolve(undefined);
    const { epoch, header, batches, forgetAt, savedAt } = turn;
    return Promise.resolve({ turnId, epoch, header, batches: [...batches], forgetAt, savedAt });
  }

  headers({ owner, after, limit }: HeadersAsked): Promise<readonly Pick<KeptTurn, 'turnId' | 'header'>[]> {
    const own = [...this.#turns]
      .flatMap(([turnId, turn]) => (turn.owner === owner && turnId > after ? [{ turnId, header: turn.header }] : []))
      .sort((one, other) => (one.turnId < other.turnId ? -1 : 1));
    return Promise.resolve(own.slice(0, limit));
  }

  claim(turnId: string): Promise<KeptTurn | undefined> {
    const turn = this.#turns.get(turnId);
    if (turn !== undefined) turn.epoch += 1;
    return this.read(turnId);
  }

  delete(turnIds: readonly string[]): Promise<void> {
    for (const turnId of turnIds) this.#turns.delete(turnId);
    return Promise.resolve();
  }

  forget(now: number, savedBefore: number): Promise<void> {
    for (const [turnId, { forgetAt, savedAt }] of this.#turns) {
      if ((forgetAt !== null && forgetAt <= now) || savedAt < savedBefore) this.#turns.delete(turnId);
    }
    return Promise.resolve();
  }

  /** Whether the turn is stored under this epoch with at least `lines` lines. */
  holds({ turnId, epoch, lines }: TurnHold): boolean {
    const turn = this.#turns.get(turnId);
    return turn?.epoch === epoch && turn.lines >= lines;
  }

  #held({ turnId, epoch }: Pick<TurnHold, 'turnId' | 'epoch'>): StoredTurn {
    const turn = this.#turns.get(turnId);
    if (turn?.epoch !== epoch) throw turnConflict(turnId);
    return turn;
  }
}

/** Adds lines that follow the stored lines. Adding the same lines again is no fault. */
function add(turnId: string, turn: StoredTurn, { first, count, text }: TurnLines): void {
  const isStored = turn.batches.some((batch) => batch.first === first && batch.count === count && batch.text === text);
  if (isStored) return;
  if (turn.lines !== first) throw turnConflict(turnId);
  if (count === 0) return;
  if (turn.forgetAt !== null) throw turnConflict(turnId);
  turn.batches.push({ first, count, text });
  turn.lines += count;
}

/** Turns an exception of `change` into a rejection, so that callers handle this store like a database. */
function settled(change: () => void): Promise<void> {
  try {
    change();
    return Promise.resolve();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new StepRefused(String(error)));
  }
}
