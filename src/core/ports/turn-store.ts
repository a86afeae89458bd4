import type { TurnDelivery } from './delivery-store.ts';

/** Lines of a kept turn as they are stored: opaque text that only the core understands, sealed before it gets here. */
export interface TurnLines {
  /** How many lines of this turn come before these lines. */
  readonly first: number;
  readonly count: number;
  readonly text: string;
}

/** Who holds a kept turn, and how many of its lines MUST be stored before a change is accepted. */
export interface TurnHold {
  readonly turnId: string;
  /** The number of times that the turn was taken up: 1 for the process that began it. */
  readonly epoch: number;
  /** The number of lines that MUST be stored. With fewer lines the change is refused. */
  readonly lines: number;
}

/** A kept turn as another process finds it. */
export interface KeptTurn {
  readonly turnId: string;
  readonly epoch: number;
  readonly header: string;
  /** In order, without gaps. */
  readonly batches: readonly TurnLines[];
  /** The time at which the turn is forgotten, in epoch milliseconds. Null while the turn has not ended. */
  readonly forgetAt: number | null;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/** A new turn. */
export interface NewTurn {
  readonly turnId: string;
  readonly header: string;
  /** Opaque text that stands for the turn's user. Left out: only the header says who that is. */
  readonly owner?: string | undefined;
  readonly lines: TurnLines;
}

/** Which headers are asked for, in the order of the ids of their turns. */
export interface HeadersAsked {
  /** The mark that stands for the turns' user. Null: turns without a mark, as older versions keep them. */
  readonly owner: string | null;
  /** The last id that is known already. Empty at the beginning. */
  readonly after: string;
  readonly limit: number;
}

/** How a turn stands among replicas. */
export interface SharedTurn {
  /** The living replica that holds the turn. Undefined: nobody does. */
  readonly heldBy: string | undefined;
  readonly isOver: boolean;
}

/** What replicas need beside, where several of them use one store at the same time (contract/replicas.md#turns). */
export interface SharedTurns {
  /** Ids of the turns that have not ended and that no living replica holds, oldest first. */
  free(): Promise<readonly string[]>;
  /** How a turn stands. Undefined for an unknown turn. */
  stateOf(turnId: string): Promise<SharedTurn | undefined>;
  /** Those of these turns whose hold is over: another replica has taken the turn up, and may have ended and forgotten it since. */
  lost(holds: readonly Pick<TurnHold, 'turnId' | 'epoch'>[]): Promise<readonly string[]>;
  /**
   * `listener` is called when the store has heard this replica again that it may have counted as dead: others may have taken up its turns.
   */
  onHeardAgain(listener: () => void): void;
  /** The ids of the other living replicas. */
  others(): Promise<readonly string[]>;
  /** Lets go of a turn, so that any replica may claim it. Does nothing once another replica has claimed it. */
  release(turnId: string): Promise<void>;
}

/**
 * The records of turns (design: a turn is replayed from its record). Every method MUST have made its change durable, whole or not at all,
 * before it resolves. Changes of one turn MUST be made in the order of the calls, also when the caller does not wait between the calls. This order
 * includes the questions that the turn puts to the confirmation journal of the same store. A method rejects with `StepRefused` when what is stored forbids the
 * change (another epoch, a gap, no such turn). Any other error says that the store failed: the change may or may not have been made.
 * `create`, `append` and `end` MAY be called again with the same values (idempotent).
 */
export interface TurnStore {
  /**
   * Left out where one process at a time uses the store. Where it is there, `create` and `claim` make this replica the holder of the turn,
   * and `claim` gives nothing for a turn that has ended or that another living replica holds.
   */
  readonly shared?: SharedTurns;
  /** Keeps a new turn under epoch 1 with its first lines. */
  create(turn: NewTurn, at: number): Promise<void>;
  /** With `syncLater`, lines that were stored outlive the process at once. A loss of power they MAY outlive only some seconds later. */
  append(
    hold: Pick<TurnHold, 'turnId' | 'epoch'>,
    lines: TurnLines,
    how?: { readonly syncLater?: boolean | undefined },
  ): Promise<void>;
  /**
   * Stores the last lines of a turn. The turn is then over, and is kept until `forgetAt`. With a `delivery`, the same change adds it to the
   * deliveries that wait.
   */
  end(
    hold: Pick<TurnHold, 'turnId' | 'epoch'>,
    lines: TurnLines,
    rest: { readonly forgetAt: number; readonly delivery?: TurnDelivery | undefined },
  ): Promise<void>;
  /** Ids of all kept turns, oldest first. */
  ids(): Promise<readonly string[]>;
  read(turnId: string): Promise<KeptTurn | undefined>;
  /** The headers of kept turns, page by page. MUST NOT look at any line, nor at turns of other owners. */
  headers(asked: HeadersAsked): Promise<readonly Pick<KeptTurn, 'turnId' | 'header'>[]>;
  /** Takes the turn over. Its epoch is raised, so that its previous holder can no longer change it. */
  claim(turnId: string): Promise<KeptTurn | undefined>;
  /** Deletes these turns, whatever their state. */
  delete(turnIds: readonly string[]): Promise<void>;
  /** Forgets turns with `forgetAt` at or before `now`, and those saved before `savedBefore`. */
  forget(now: number, savedBefore: number): Promise<void>;
}
