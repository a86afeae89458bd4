import { abandonRow } from '../../confirmations/recover-journal.ts';
import { sourcesIn } from '../../knowledge/readable-sources.ts';
import type { JournalRow } from '../../ports/confirmation-journal.ts';
import type { KeptTurn } from '../../ports/turn-store.ts';
import { EventLog } from '../../record/event-log.ts';
import { type OpenedTurn, openTurn, stepsOf } from '../../record/opened-turn.ts';
import { refillLog } from '../../record/refill-log.ts';
import { StepRecord } from '../../record/step-record.ts';
import { recordVersion, requestOf } from '../../record/turn-header.ts';
import { untilHeld } from '../../record/until-held.ts';
import { isReservedName } from '../../tools/tool-name.ts';
import { atMost } from '../../base/at-most.ts';
import { coordinatorName } from '../../agents/coordinator-name.ts';
import { EndedTurn } from '../live/ended-turn.ts';
import type { ForgetEnded } from '../end/forget-ended.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { RunningTurns } from '../running-turns.ts';
import { maxBufferedLength } from '../start-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** Milliseconds until kept turns that could not be read are tried again. */
const againAfterMs = 5_000;

/** How long a start waits for the questions of earlier processes, and a client for its turn, in milliseconds. */
const longestWaitMs = 5_000;

export interface TakeUpOptions {
  readonly services: TurnServices;
  readonly turns: RunningTurns;
  readonly forgetting: ForgetEnded;
  /** Continues a turn in a session of its own. With `isInterrupted`, the turn only tells how it ended. */
  readonly goOn: (kept: OpenedTurn, isInterrupted: boolean) => LiveTurn;
  readonly isDraining: () => boolean;
  /** Milliseconds a turn whose questions do not expire waits for its user over restarts (`dataProtection.maxAge`). */
  readonly maxAgeMs: number;
}

/** Takes up the turns that earlier processes have kept (contract/restarts.md#turns): each of them once, as soon as its actions are there. */
export class TakeUp {
  readonly #options: TakeUpOptions;
  /**
   * Ids of the turns that this process has not taken up. They are read once: from its first turn on, the store holds
   * turns of this process too.
   */
  #waiting: Promise<Set<string>> | undefined;
  /** What ends the waits for each of these turns, also while one is being taken up. */
  readonly #coming = new Map<string, PromiseWithResolvers<undefined>>();
  /** The turns that are taken up and have not put their questions again yet. */
  readonly #asking = new Map<string, Promise<void>>();
  #askedCount = 0;
  #again: NodeJS.Timeout | undefined;

  constructor(options: TakeUpOptions) {
    this.#options = options;
  }

  /** Called when the actions can run, before the channels open, and again when more actions have come. */
  async run(): Promise<void> {
    const { services, isDraining } = this.#options;
    this.#waiting ??= services.tape.store.ids().then((ids) => this.#expect(ids));
    const waiting = await this.#waiting.catch((error: unknown) => {
      this.#waiting = undefined;
      throw error;
    });
    const settled: Promise<void>[] = [];
    for (const turnId of [...waiting]) {
      if (isDraining()) break;
      // Marked before anything is awaited, so that a second caller at the same time does not take the turn up too.
      if (!waiting.delete(turnId)) continue;
      const seen = services.toolbox();
      const isDone = await this.#takeUp(turnId, settled).catch((error: unknown) => {
        services.calls.log.error({ error, turnId }, 'a kept turn is left for later: it could not be read');
        this.#runAgain();
        return false;
      });
      if (isDone) {
        this.#arrived(turnId);
        continue;
      }
      waiting.add(turnId);
      // Its actions may have come while it was looked at.
      if (services.toolbox() !== seen) this.#runAgain();
    }
    // A client that asks right after the start must find the questions open. A store that does not answer must not delay the start for
    // ever.
    await atMost(longestWaitMs, Promise.all(settled));
  }

  /**
   * Resolves once this turn of an earlier process is taken up or given up, and after 5 s at the latest: a client that comes back right after a
   * start must not be told that its turn is unknown. Resolves at once for every other turn (contract/restarts.md#turns).
   */
  async untilTakenUp(turnId: string): Promise<void> {
    const coming = this.#coming.get(turnId);
    if (coming !== undefined) await atMost(longestWaitMs, coming.promise);
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
      if (!this.#options.isDraining()) void this.run();
    }, againAfterMs).unref();
  }

  /** Resolves to false if the turn stays in the store for a later attempt. */
  async #takeUp(turnId: string, settled: Promise<void>[]): Promise<boolean> {
    const { services, goOn, isDraining } = this.#options;
    const { store } = services.tape;
    const { log, clock } = services.calls;
    const stored = await store.read(turnId);
    if (stored === undefined) return true;
    if (stored.forgetAt !== null) {
      this.#options.forgetting.ended();
      const ended = this.#open(stored);
      if (ended !== undefined && stored.forgetAt > clock.now()) this.#keepEnded(ended, stored.forgetAt - clock.now());
      return true;
    }
    const open = (await services.calls.journal.ofTurn(turnId)).filter(({ state }) => state !== 'done');
    const isTooOld = this.#isTooOld(open);
    const isInterrupted = isTooOld || this.#isInterrupted(open);
    if (!isTooOld && this.#lacksTools(isInterrupted ? open.filter(isMadeAgain) : open)) {
      log.warn({ turnId }, 'a turn waits to be taken up: the action it asks for is not there yet');
      this.#wakeTools(stored);
      return false;
    }
    if (isDraining()) return false;
    const claimed = await store.claim(turnId);
    if (claimed === undefined) return true;
    const kept = this.#open(claimed);
    if (kept === undefined) return this.#giveUp(claimed, open);
    if (isTooOld) await this.#expire(open);
    // While the server drains, a turn that begins here would be refused, and its questions with it.
    if (isDraining()) return false;
    log.info({ turnId, isInterrupted }, 'a turn that an earlier process kept is taken up');
    const { callsSettled } = goOn(kept, isInterrupted || kept.header.version !== recordVersion);
    settled.push(callsSettled);
    this.#asking.set(turnId, callsSettled);
    void callsSettled.then(() => {
      this.#asking.delete(turnId);
      this.#askedCount += 1;
    });
    return true;
  }

  /** Undefined when the key of the turn is gone, or when what is stored was changed. */
  #open(stored: KeptTurn): OpenedTurn | undefined {
    const { tape, calls } = this.#options.services;
    try {
      return openTurn(stored, tape.sealer);
    } catch (error) {
      calls.log.error(
        { error, turnId: stored.turnId },
        'a kept turn cannot be opened: were the keys of dataProtection changed?',
      );
      return undefined;
    }
  }

  /** Gives up a turn that cannot be opened: its questions are closed, and the turn is forgotten. */
  async #giveUp({ turnId, epoch, batches }: KeptTurn, open: readonly JournalRow[]): Promise<true> {
    const { tape, calls } = this.#options.services;
    const now = calls.clock.now();
    for (const row of open) await abandonRow(row, { ...calls, now });
    const last = batches.at(-1);
    await tape.store.end({ turnId, epoch }, last ?? { first: 0, count: 0, text: '' }, { forgetAt: now });
    this.#options.forgetting.ended();
    return true;
  }

  /** Whether the turn counts as interrupted: nobody goes on with an open question of Blocking mode. */
  #isInterrupted(open: readonly JournalRow[]): boolean {
    const { hitlMode, tape } = this.#options.services;
    return hitlMode === 'Blocking' && (tape.policy === 'question' || open.some(({ state }) => state === 'requested'));
  }

  /** Whether nobody has answered for too long, or the action to be called again has been missing for too long. */
  #isTooOld(open: readonly JournalRow[]): boolean {
    const { services, maxAgeMs } = this.#options;
    const { confirmationTimeoutMs, clock } = services.calls;
    const waits = services.hitlMode === 'Blocking' || confirmationTimeoutMs === 0;
    const limit = clock.now() - maxAgeMs;
    return waits && open.length > 0 && open.every(({ requestedAt }) => requestedAt < limit);
  }

  /** A question that is given up counts as one that nobody answered in time. */
  async #expire(open: readonly JournalRow[]): Promise<void> {
    const { journal, clock } = this.#options.services.calls;
    for (const { actionId, state } of open) {
      if (state !== 'requested') continue;
      await untilHeld(() => journal.answered(actionId, { answer: 'expired', by: 'system' }, clock.now()));
    }
  }

  /**
   * Whether a callback that does not answer yet owns one of the actions. The question stays open until the callback
   * answers or the question expires.
   */
  #lacksTools(open: readonly JournalRow[]): boolean {
    const { toolbox, calls } = this.#options.services;
    const there = toolbox().withOwn;
    const { confirmationTimeoutMs, clock } = calls;
    return open.some(({ action, requestedAt }) => {
      const expired = confirmationTimeoutMs > 0 && clock.now() >= requestedAt + confirmationTimeoutMs;
      // The tools of the server itself and the actions of a page come with a turn, so they are not looked for here. If one is missing then,
      // its call ends with an answer that says so.
      return !expired && !isReservedName(action) && there.find(action) === undefined;
    });
  }

  /** A source of tools may wait for its first use. Once the tools are there, the turn is looked at again. */
  #wakeTools(stored: KeptTurn): void {
    const { wakeTools } = this.#options.services;
    const opened = wakeTools && this.#open(stored);
    if (opened === undefined) return;
    const { header } = opened;
    void wakeTools?.({ request: requestOf(header), conversationId: header.conversationId });
  }

  /** Keeps a turn that had ended resumable for as long as its own process would have kept it. */
  #keepEnded({ header, lines }: OpenedTurn, forMs: number): void {
    const { turnId, conversationId } = header;
    const log = new EventLog({ turnId, agent: coordinatorName, maxLength: maxBufferedLength });
    refillLog(log, lines);
    const { caller, channel } = requestOf(header);
    const turn = new EndedTurn({
      id: turnId,
      conversationId,
      principal: caller.principal,
      channel: channel.name,
      owner: undefined,
      log: log.sealed(),
      sources: sourcesIn(new StepRecord(stepsOf(lines))),
    });
    this.#options.turns.keep(turn, forMs);
  }
}

/** Whether a crash interrupted the call, and the call may be made again under its id. */
function isMadeAgain({ state, call }: JournalRow): boolean {
  return state === 'executing' && call !== null;
}
