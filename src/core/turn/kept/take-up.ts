import { atMost } from '../../base/at-most.ts';
import { joined } from '../../base/joined.ts';
import type { SharedTurns } from '../../ports/turn-store.ts';
import { letGoOfTaken } from '../../record/let-go-of-taken.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { type TakeUpOptions, TakeUpTurn } from './take-up-turn.ts';

/** Milliseconds until kept turns that could not be read are tried again. */
const againAfterMs = 5_000;

/** How many turns a replica takes up at a time. Readers wait for them. */
const lanesOfReplicas = 8;

/** How long a start waits for the questions of earlier processes, and a client for its turn, in milliseconds. */
const longestWaitMs = 5_000;

/** Takes up the turns that earlier processes have kept (contract/restarts.md#turns): each of them once, as soon as its actions are there. */
export class TakeUp {
  readonly #options: TakeUpOptions;
  readonly #turn: TakeUpTurn;
  /**
   * Ids of the turns that this process has not taken up. Without other replicas they are read once: from its first turn on, the store
   * holds turns of this process too.
   */
  #waiting: Promise<Set<string>> | undefined;
  /** What ends the waits for each of these turns, also while one is being taken up. */
  readonly #coming = new Map<string, PromiseWithResolvers<undefined>>();
  /** The turns that are taken up and have not put their questions again yet. */
  readonly #asking = new Map<string, Promise<void>>();
  #askedCount = 0;
  #isLeft: (turnId: string) => boolean = () => false;
  #again: NodeJS.Timeout | undefined;
  #look: Promise<unknown> = Promise.resolve();
  #nextLook: Promise<readonly string[]> | undefined;

  constructor(options: TakeUpOptions) {
    this.#options = options;
    this.#turn = new TakeUpTurn(options);
    const { shared } = options.services.tape.store;
    // What fails here is done by the next run.
    shared?.onHeardAgain(() => void this.#letGo(shared).catch(() => undefined));
  }

  /** From now on `run` leaves those turns to other replicas for which this is true at the moment. */
  leaveOut(isLeft: (turnId: string) => boolean): void {
    this.#isLeft = isLeft;
  }

  /** Called when the actions can run, before the channels open, and again when more actions have come. */
  async run(): Promise<void> {
    const { services, isDraining } = this.#options;
    const { shared } = services.tape.store;
    if (shared !== undefined) await this.#letGo(shared);
    const waiting = await this.#expected();
    // Replicas that begin with different turns rarely want the same one.
    const due = shared === undefined ? [...waiting] : shuffled([...waiting].filter((turnId) => !this.#isLeft(turnId)));
    const settled: Promise<void>[] = [];
    const lane = async (): Promise<void> => {
      for (let turnId = due.shift(); turnId !== undefined && !isDraining(); turnId = due.shift()) {
        await this.#takeUp(turnId, waiting, { settled, isFree: shared !== undefined });
      }
    };
    await joined(Array.from({ length: shared === undefined ? 1 : lanesOfReplicas }, lane));
    if (shared !== undefined) this.#runAgain();
    // A client that asks right after the start must find the questions open. A store that does not answer must not delay the start for
    // ever.
    await atMost(longestWaitMs, Promise.all(settled));
  }

  /**
   * Looks for a turn that this process does not know in a store that it shares with other replicas. A turn that nobody holds is taken up here,
   * and a turn that has ended is kept for its readers. `isFree`: it had not ended a moment ago.
   * @throws Error when the store fails.
   */
  async lookFor(turnId: string, { isFree = false } = {}): Promise<void> {
    if (this.#options.services.tape.store.shared === undefined) return;
    if (this.#coming.has(turnId)) {
      await this.#hurry(turnId);
      return;
    }
    const waiting = this.#expect([turnId]);
    await this.#takeUp(turnId, waiting, { settled: [], isFree });
    // It is tried again with the others.
    if (waiting.size > 0) (await (this.#waiting ??= Promise.resolve(new Set()))).add(turnId);
  }

  /**
   * Resolves once this turn of an earlier process is taken up or given up, and after 5 s at the latest: a client that comes back right after a
   * start must not be told that its turn is unknown. Resolves at once for every other turn (contract/restarts.md#turns).
   */
  async untilTakenUp(turnId: string): Promise<void> {
    const coming = this.#coming.get(turnId);
    if (coming === undefined) return;
    this.#hurry(turnId).catch(() => undefined); // it is tried again with the others
    await atMost(longestWaitMs, coming.promise);
  }

  /** Whether the turn is of an earlier process, and was not taken up yet. */
  isComing(turnId: string): boolean {
    return this.#coming.has(turnId);
  }

  /** How many turns of earlier processes have put their questions again. */
  get askedCount(): number {
    return this.#askedCount;
  }

  /** As `untilTakenUp`, and until the turn has put its questions again. Resolves with false when there was nothing to wait for. */
  async untilAsked(turnId: string): Promise<boolean> {
    const isComing = this.#coming.has(turnId);
    await this.untilTakenUp(turnId);
    const asking = this.#asking.get(turnId);
    if (asking !== undefined) await atMost(longestWaitMs, asking);
    return isComing || asking !== undefined;
  }

  /** A turn that waits for its user writes nothing, and so its tape does not learn that another replica has taken it up. */
  #letGo(shared: SharedTurns): Promise<void> {
    return letGoOfTaken(
      this.#options.turns.running().map(({ tape }) => tape),
      shared,
    );
  }

  /** The turns that wait to be taken up. Replicas ask the store each time, because turns of others become free at any time. */
  async #expected(): Promise<Set<string>> {
    const { store } = this.#options.services.tape;
    const { shared } = store;
    this.#waiting ??= shared === undefined ? store.ids().then((ids) => this.#expect(ids)) : Promise.resolve(new Set());
    try {
      const waiting = await this.#waiting;
      if (shared === undefined) return waiting;
      const free = new Set(await this.#free(shared));
      for (const turnId of waiting) if (!free.has(turnId) && waiting.delete(turnId)) this.#arrived(turnId);
      const found = [...free].filter((turnId) => !this.#coming.has(turnId));
      for (const turnId of this.#expect(found)) waiting.add(turnId);
      return waiting;
    } catch (error) {
      // What replicas have found stays known: a turn that is expected already is not found again.
      if (shared === undefined) this.#waiting = undefined;
      throw error;
    }
  }

  /** The turns that nobody holds. Whoever asks while the store is asked already shares the next question, since the first may be too early. */
  #free(shared: SharedTurns): Promise<readonly string[]> {
    return (this.#nextLook ??= this.#look.then(() => {
      this.#nextLook = undefined;
      const look = shared.free();
      this.#look = look.catch(() => undefined);
      return look;
    }));
  }

  /** Takes a turn that is free up before the others, because somebody waits for it. Without replicas all turns are taken up before anybody asks. */
  async #hurry(turnId: string): Promise<void> {
    if (this.#options.services.tape.store.shared === undefined || this.#options.isDraining()) return;
    const waiting = await this.#waiting;
    if (waiting !== undefined) await this.#takeUp(turnId, waiting, { settled: [], isFree: true });
  }

  /** Takes a turn out of `waiting` and up. Puts it back if it stays in the store for a later attempt. */
  async #takeUp(
    turnId: string,
    waiting: Set<string>,
    { settled, isFree }: { readonly settled: Promise<void>[]; readonly isFree: boolean },
  ): Promise<void> {
    const { services } = this.#options;
    // Marked before anything is awaited, so that a second caller at the same time does not take the turn up too.
    if (!waiting.delete(turnId)) return;
    const seen = services.toolbox();
    const taken = await this.#turn.of(turnId, { isFree }).catch((error: unknown) => {
      services.calls.log.error({ error, turnId }, 'a kept turn is left for later: it could not be read');
      this.#runAgain();
      return 'later' as const;
    });
    if (taken === 'later') {
      waiting.add(turnId);
      // Its actions may have come while it was looked at.
      if (services.toolbox() !== seen) this.#runAgain();
      return;
    }
    if (taken !== undefined) settled.push(this.#asks(taken));
    this.#arrived(turnId);
  }

  /** Waits until the turn has put its questions again. */
  #asks({ id, callsSettled }: LiveTurn): Promise<void> {
    this.#asking.set(id, callsSettled);
    void callsSettled.then(() => {
      this.#asking.delete(id);
      this.#askedCount += 1;
    });
    return callsSettled;
  }

  #expect(turnIds: readonly string[]): Set<string> {
    for (const turnId of turnIds) this.#coming.set(turnId, Promise.withResolvers());
    return new Set(turnIds);
  }

  #arrived(turnId: string): void {
    this.#coming.get(turnId)?.resolve(undefined);
    this.#coming.delete(turnId);
  }

  /** Tries again later, because nobody can answer a question until its turn is taken up. */
  #runAgain(): void {
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      if (this.#options.isDraining()) return;
      this.run().catch((error: unknown) => {
        this.#options.services.calls.log.error({ error }, 'kept turns could not be taken up');
        this.#runAgain();
      });
    }, againAfterMs).unref();
  }
}

function shuffled<Value>(values: Value[]): Value[] {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(Math.random() * (last + 1));
    [values[last], values[chosen]] = [values[chosen] as Value, values[last] as Value]; // both are inside
  }
  return values;
}
