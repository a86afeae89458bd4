import { makerOf } from '../base/hinted-id.ts';
import { AnswerFailed } from '../ports/answer-failed.ts';
import { BusAway } from '../ports/bus-away.ts';
import { clusterUnavailable } from '../ports/over-bus.ts';
import type { ReplicaBus } from '../ports/replica-bus.ts';
import { ReplicaGone } from '../ports/replica-gone.ts';
import type { SharedTurns } from '../ports/turn-store.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import type { FoundTurn, HandedOut } from '../turn/live/remote-turn.ts';
import type { Turn } from '../turn/live/turn.ts';
import { AwaitedTurns } from './awaited-turns.ts';
import { readTurn, turnKinds, valueOf } from './turn-messages.ts';

/** How long a turn is looked for that some replica must have, in milliseconds: until the lease of a dead one is over and another goes on. */
const longestSearchMs = 20_000;

/** Milliseconds between two rounds of a search. One that hears that its turn is free goes on at once. */
const againAfterMs = 250;

/** The same for an id that a client may have made up: the store does not know it, and the replica that it names does not answer. */
const unsureAgainAfterMs = 1_000;

/** Where a turn runs, or where its end can be read. */
export type TurnPlace =
  | { readonly kind: 'here'; readonly turn: Turn }
  | { readonly kind: 'there'; readonly replica: string; readonly found: FoundTurn };

/** Why a round of a search has found no place and is not the last one. */
type Unfound = 'coming' | 'away' | 'unsure' | 'unknown';

/** How a turn is looked for. */
export interface Search {
  readonly signal?: AbortSignal | undefined;
  /** Whoever asks is told at once that replicas cannot reach each other. */
  readonly isUrgent?: boolean;
  /** The turn is known to exist. */
  readonly isKnown?: boolean;
}

/** What this replica knows of turns by itself. */
export interface TurnsHere {
  /** Whether no turn is taken up here any more. */
  readonly draining: boolean;
  followTurn(turnId: string): Promise<Turn | 'later' | undefined>;
  /** As `TakeUp.lookFor`. */
  lookForTurn(turnId: string, options?: { readonly isFree?: boolean }): Promise<void>;
  /** Takes the conversation of a turn away from the session that has it, for a session in another replica. */
  handOut(turnId: string): HandedOut | undefined;
  /** The conversation of a turn. Undefined where it cannot be handed over. */
  transcriptOf(turnId: string): readonly KeptMessage[] | undefined;
}

/** How other replicas are asked. */
type ReachedReplicas = Pick<ReplicaBus, 'replica' | 'isUp' | 'ask'>;

/** Finds the replica that holds a turn (contract/replicas.md#turns): first this one, then the one that its id names, then what the store says. */
export class TurnPlaces {
  readonly #here: TurnsHere;
  readonly #bus: ReachedReplicas;
  readonly #shared: SharedTurns;
  readonly #awaited = new AwaitedTurns();

  constructor(here: TurnsHere, bus: ReachedReplicas, shared: SharedTurns) {
    this.#here = here;
    this.#bus = bus;
    this.#shared = shared;
  }

  /** Another replica has let go of these turns. A turn that somebody waits for here is taken up here, at once. */
  released(turnIds: readonly string[]): void {
    this.#awaited.released(turnIds);
  }

  /**
   * Undefined when nobody has such a turn. A turn whose replica has just died is waited for.
   * @throws HelperError `cluster_unavailable` when the replica of the turn cannot be reached; the reason of the signal.
   */
  async find(
    turnId: string,
    { signal, isUrgent = false, isKnown = false }: Search = {},
  ): Promise<TurnPlace | undefined> {
    const until = performance.now() + longestSearchMs;
    for (;;) {
      const free = this.#awaited.begin(turnId);
      try {
        const seen = await this.#round(turnId, signal);
        if (seen === undefined || typeof seen === 'object') return seen;
        // Without its store nobody knows whether there is such a turn, and ids that clients make up must not be looked for again and again.
        const isAway = seen === 'away' || seen === 'unsure';
        const isHopeless = (seen === 'unknown' && !isKnown) || (isUrgent && isAway && !this.#bus.isUp);
        if (isHopeless || performance.now() > until) throw clusterUnavailable();
        const pauseMs = seen === 'unsure' && !isKnown ? unsureAgainAfterMs : againAfterMs;
        if (await free.within(pauseMs, signal)) await this.#takeUp(turnId, { isFree: true });
      } finally {
        free.end();
      }
    }
  }

  /**
   * One look at all places. `coming`: the turn exists and nobody goes on with it yet. `away`: its replica does not answer. `unsure`: nor does the store
   * know the turn. `unknown`: the store does not answer.
   */
  async #round(turnId: string, signal?: AbortSignal): Promise<TurnPlace | Unfound | undefined> {
    const here = await this.#hereNow(turnId);
    if (here !== undefined) return here;
    const maker = makerOf(turnId);
    const asked = maker === undefined ? undefined : await this.#ask(maker, turnId, signal);
    if (typeof asked === 'object') return asked;
    const state = await this.#shared.stateOf(turnId).catch(() => 'unknown' as const);
    if (state === 'unknown') return state;
    if (state === undefined) return asked === 'away' ? 'unsure' : undefined;
    if (state.heldBy !== undefined && state.heldBy !== maker) {
      const holder = await this.#ask(state.heldBy, turnId, signal);
      if (holder !== undefined) return holder;
    }
    if (state.heldBy === undefined) await this.#takeUp(turnId, { isFree: !state.isOver });
    const found = await this.#hereNow(turnId);
    // An ended turn that cannot be read here is gone.
    return found ?? (state.isOver ? asked : 'coming');
  }

  /** A turn that cannot be taken up here is looked for again. */
  async #takeUp(turnId: string, options: { readonly isFree: boolean }): Promise<void> {
    if (!this.#here.draining) await this.#here.lookForTurn(turnId, options).catch(() => undefined);
  }

  /** A turn that has left this process is looked for elsewhere. */
  async #hereNow(turnId: string): Promise<TurnPlace | undefined> {
    const turn = await this.#here.followTurn(turnId);
    return turn === undefined || turn === 'later' || turn.suspended ? undefined : { kind: 'here', turn };
  }

  async #ask(replica: string, turnId: string, signal?: AbortSignal): Promise<TurnPlace | 'away' | undefined> {
    if (replica === this.#bus.replica) return undefined;
    try {
      const found = valueOf(await this.#bus.ask({ replica, kind: turnKinds.find, body: { turnId } }, signal));
      return found === null ? undefined : { kind: 'there', replica, found: readTurn(found) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof BusAway) return 'away';
      if (error instanceof AnswerFailed) return error.code === 'unknown_kind' ? undefined : 'away';
      if (error instanceof ReplicaGone) return undefined;
      throw error;
    }
  }
}
