/** Lines of a kept turn as they are stored: opaque text that only the core understands, sealed before it gets here. */
export interface TurnLines {
  /** How many lines of this turn stand before these. */
  readonly first: number;
  readonly count: number;
  readonly text: string;
}

/** Who holds a kept turn, and how much of it MUST be stored already for a change to be taken. */
export interface TurnHold {
  readonly turnId: string;
  /** Which taking up of the turn this is: 1 for the process that began it. */
  readonly epoch: number;
  /** Lines that MUST be stored; fewer refuse the change. */
  readonly lines: number;
}

/** A kept turn as another process finds it. */
export interface KeptTurn {
  readonly turnId: string;
  readonly epoch: number;
  readonly header: string;
  /** In order, without gaps. */
  readonly batches: readonly TurnLines[];
  /** Epoch milliseconds from which on it is forgotten; null while the turn has not ended. */
  readonly forgetAt: number | null;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/**
 * The records of turns (design: a turn is replayed from its record). Every method MUST have made its change durable, whole
 * or not at all, before it resolves. Changes MUST be made in the order in which they were called, those of the confirmation journal of
 * the same store included, without the caller waiting in between. Rejects with `StepRefused` when what is stored forbids the
 * change (another epoch, a gap, no such turn), with any other error when the store failed: the change may then have been made or not, and
 * `create`, `append` and `end` MAY be called again with the same values (idempotent).
 */
export interface TurnStore {
  /** Keeps a new turn under epoch 1 with its first lines. */
  create(
    turn: { readonly turnId: string; readonly header: string; readonly lines: TurnLines },
    at: number,
  ): Promise<void>;
  append(hold: Pick<TurnHold, 'turnId' | 'epoch'>, lines: TurnLines): Promise<void>;
  /** The last lines of a turn: it is over, and is kept until `forgetAt`. */
  end(hold: Pick<TurnHold, 'turnId' | 'epoch'>, lines: TurnLines, forgetAt: number): Promise<void>;
  /** Ids of all kept turns, oldest first. */
  ids(): Promise<readonly string[]>;
  read(turnId: string): Promise<KeptTurn | undefined>;
  /** Takes the turn over: its epoch is raised, and whoever had it can change nothing any more. */
  claim(turnId: string): Promise<KeptTurn | undefined>;
  /** Deletes these turns, whatever their state. */
  delete(turnIds: readonly string[]): Promise<void>;
  /** Forgets turns with `forgetAt` at or before `now`, and those saved before `savedBefore`. */
  forget(now: number, savedBefore: number): Promise<void>;
}
