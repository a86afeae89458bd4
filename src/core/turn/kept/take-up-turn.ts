import { coordinatorName } from '../../agents/coordinator-name.ts';
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
import type { ForgetEnded } from '../end/forget-ended.ts';
import { EndedTurn } from '../live/ended-turn.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';
import type { RunningTurns } from '../running-turns.ts';
import { maxBufferedLength } from '../start-turn.ts';

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

/** What became of a kept turn: it goes on here, it stays in the store for a later attempt, or there is nothing to go on with. */
export type TakenUp = LiveTurn | 'later' | undefined;

/** Takes one kept turn up: it goes on, or it is kept for those who still read it (contract/restarts.md#turns). */
export class TakeUpTurn {
  readonly #options: TakeUpOptions;
  /** The turns of which the log tells already that their action is missing. */
  readonly #lacking = new Set<string>();

  constructor(options: TakeUpOptions) {
    this.#options = options;
  }

  /** `isFree`: other replicas may take the turn up as well, it had not ended a moment ago, and whoever claims it first has it. */
  async of(turnId: string, { isFree = false } = {}): Promise<TakenUp> {
    const { services, goOn, isDraining } = this.#options;
    const { store } = services.tape;
    const { log } = services.calls;
    if (!isFree && (await this.#isOver(turnId))) return undefined;
    const rows = await services.calls.journal.ofTurn(turnId);
    const open = rows.filter(({ state }) => state !== 'done');
    const isTooOld = this.#isTooOld(open);
    const isInterrupted = isTooOld || this.#isInterrupted(open);
    if (!isTooOld && this.#lacksTools(isInterrupted ? open.filter(isMadeAgain) : open)) {
      if (!this.#lacking.has(turnId))
        log.warn({ turnId }, 'a turn waits to be taken up: the action it asks for is not there yet');
      this.#lacking.add(turnId);
      await this.#wakeTools(turnId);
      return 'later';
    }
    this.#lacking.delete(turnId);
    if (isDraining()) return 'later';
    const claimed = await store.claim(turnId);
    if (claimed === undefined) return undefined;
    const kept = this.#open(claimed);
    if (kept === undefined) return this.#giveUp(claimed, open);
    if (services.tape.policy === 'question' && !hasAsked(kept, rows)) return this.#drop(turnId, open);
    if (isTooOld) await this.#expire(open);
    // While the server drains, a turn that begins here would be refused, and its questions with it.
    if (isDraining()) return this.#leave(turnId);
    log.info({ turnId, isInterrupted }, 'a turn that an earlier process kept is taken up');
    const isUnread = requestOf(kept.header).channel.endsWithRequest === true;
    return goOn(kept, isInterrupted || isUnread || kept.header.version !== recordVersion);
  }

  /** Whether there is nothing to go on with. A turn that has ended is kept for its readers. */
  async #isOver(turnId: string): Promise<boolean> {
    const { services, forgetting } = this.#options;
    const { clock } = services.calls;
    const stored = await services.tape.store.read(turnId);
    if (stored === undefined) return true;
    if (stored.forgetAt === null) return false;
    forgetting.ended();
    const ended = this.#open(stored);
    if (ended !== undefined && stored.forgetAt > clock.now()) this.#keepEnded(ended, stored.forgetAt - clock.now());
    return true;
  }

  /** Leaves a turn that is claimed already to another process. */
  async #leave(turnId: string): Promise<'later'> {
    await this.#options.services.tape.store.shared?.release(turnId);
    return 'later';
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
  async #giveUp({ turnId, epoch, batches }: KeptTurn, open: readonly JournalRow[]): Promise<undefined> {
    const { tape, calls } = this.#options.services;
    const now = calls.clock.now();
    for (const row of open) await abandonRow(row, { ...calls, now });
    const last = batches.at(-1);
    await tape.store.end({ turnId, epoch }, last ?? { first: 0, count: 0, text: '' }, { forgetAt: now });
    this.#options.forgetting.ended();
    return undefined;
  }

  /**
   * Drops a turn that was kept for a question that nobody was told of: it may have been told that nobody could be asked. It is lost, as every
   * turn that has asked nothing.
   */
  async #drop(turnId: string, open: readonly JournalRow[]): Promise<undefined> {
    const { tape, calls } = this.#options.services;
    const now = calls.clock.now();
    for (const row of open) await abandonRow(row, { ...calls, now });
    await tape.store.delete([turnId]);
    calls.log.info({ turnId }, 'a turn that an earlier process kept is dropped: nobody was asked in it');
    return undefined;
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
  async #wakeTools(turnId: string): Promise<void> {
    const { wakeTools, tape } = this.#options.services;
    const stored = wakeTools && (await tape.store.read(turnId));
    const opened = stored && this.#open(stored);
    if (opened === undefined) return;
    const { header } = opened;
    void wakeTools?.({ request: requestOf(header), conversationId: header.conversationId });
  }

  /** Keeps a turn that had ended resumable for as long as its own process would have kept it. */
  #keepEnded({ header, lines }: OpenedTurn, forMs: number): void {
    const { turns } = this.#options;
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
    turns.keep(turn, forMs);
  }
}

/** Whether the user was asked in the turn, or a rule has approved a call of it. */
function hasAsked({ lines }: OpenedTurn, rows: readonly JournalRow[]): boolean {
  const withdrawn = new Set(lines.flatMap((line) => (line[0] === 'withdrawn' ? [line[1]] : [])));
  const isQuestion = (key: string): boolean => /^(?:asked|resolved)\//.test(key) && !withdrawn.has(key);
  const isTold = lines.some(([kind, key]) => (kind === 'event' || kind === 'told') && isQuestion(key));
  return isTold || rows.some(({ answer }) => answer === 'approved');
}

/** Whether a crash interrupted the call, and the call may be made again under its id. */
function isMadeAgain({ state, call }: JournalRow): boolean {
  return state === 'executing' && call !== null;
}
