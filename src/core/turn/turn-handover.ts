import { closeRow } from '../confirmations/recover-journal.ts';
import { uiActionPrefix } from '../tools/tool-name.ts';
import type { LiveTurn } from './live-turn.ts';
import type { RunningTurns } from './running-turns.ts';
import { type SuspendedTurn, suspendedTurn } from './turn-suspension.ts';
import type { TurnServices } from './turn-services.ts';

export interface TurnHandoverOptions {
  readonly services: Pick<TurnServices, 'suspendedTurns' | 'toolbox' | 'tools'>;
  readonly turns: RunningTurns;
  /** Goes on with a turn in a session of its own. */
  readonly resume: (suspended: SuspendedTurn) => LiveTurn;
  /** Milliseconds a turn is kept after its last question, when its questions do not expire. */
  readonly maxAgeMs: number;
}

/** Turns between two processes (wire.md 5 and 10): what this one leaves to the next, and takes up from the one before. */
export class TurnHandover {
  readonly #options: TurnHandoverOptions;
  /** Turns that it has left. */
  readonly #left = new Set<string>();
  /** By id, what earlier processes kept and this one has not taken up: each turn once. */
  #fromEarlier: Promise<Map<string, string>> | undefined;
  #draining = false;

  constructor(options: TurnHandoverOptions) {
    this.#options = options;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** The turn waits for the next process: here nothing answers or stops it any more. */
  hasLeft(turnId: string): boolean {
    return this.#left.has(turnId);
  }

  /** Waits for the running turns; leaves those that wait for their user, and ends what else is left after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    const { turns } = this.#options;
    // A turn that does nothing but wait for its user goes on after the restart; there is no use in waiting for it here.
    const leaving = turns
      .running()
      .filter((turn) => this.#openQuestions(turn) > 0 && this.#openQuestions(turn) === turn.suspension?.unfinished)
      .map((turn) => this.#leave(turn));
    const { promise: graceOver, resolve: endGrace } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      for (const turn of turns.running()) {
        if (this.#openQuestions(turn) > 0) leaving.push(this.#leave(turn));
        else turn.stop('draining');
      }
      endGrace(undefined);
    }, graceMs);
    const ended = (): Promise<unknown> => Promise.all(turns.running().map((turn) => turn.result));
    await Promise.race([ended(), graceOver.then(ended)]);
    clearTimeout(timer);
    await Promise.all(leaving);
  }

  /** Takes up what earlier processes left, each turn once its actions are there. */
  async takeUp(): Promise<void> {
    const { suspendedTurns, tools } = this.#options.services;
    // Read once: from the first turn on the store holds those of this process too, and they must not run twice.
    this.#fromEarlier ??= suspendedTurns
      ?.all()
      .then((kept) => new Map(kept.map(({ turnId, state }) => [turnId, state])));
    const earlier = (await this.#fromEarlier) ?? new Map<string, string>();
    for (const [turnId, state] of [...earlier]) {
      if (this.#draining) return;
      if (!earlier.has(turnId)) continue;
      const suspended = suspendedTurn(state);
      if (suspended === undefined) {
        tools.log.error({ turnId }, 'a suspended turn cannot be read: it is given up');
        earlier.delete(turnId);
        await suspendedTurns?.delete(turnId);
        continue;
      }
      const isLate = this.#isLate(suspended);
      if (!isLate && this.#lacksTools(suspended)) {
        tools.log.warn({ turnId }, 'a suspended turn waits: the action it asks for is not there yet');
        continue;
      }
      // Before anything is awaited: whoever calls at the same time must not take it up too.
      earlier.delete(turnId);
      if (!(await this.#journalReads(suspended))) earlier.set(turnId, state);
      else if (this.draining) return;
      else if (isLate) await this.#giveUp(suspended);
      else {
        tools.log.info({ turnId }, 'a turn that an earlier process left is taken up');
        await this.#options.resume(suspended).suspension?.restored;
      }
    }
  }

  /** Without the journal nobody knows what has run: the turn then stays in the store. */
  async #journalReads({ turnId, open }: SuspendedTurn): Promise<boolean> {
    const { journal, log } = this.#options.services.tools;
    try {
      for (const { actionId } of open) await journal.find(actionId);
      return true;
    } catch (error) {
      log.error({ error, turnId }, 'a suspended turn is left for the next start: the journal cannot be read');
      return false;
    }
  }

  /** An action of a callback that does not answer yet: its question stays open until it does, or expires. */
  #lacksTools({ open, calls }: SuspendedTurn): boolean {
    const { toolbox, tools } = this.#options.services;
    const there = toolbox();
    const { confirmationTimeoutMs, now } = tools;
    return open.some(({ callId, requestedAt }) => {
      const name = calls.find((call) => call.callId === callId)?.name;
      const expired = confirmationTimeoutMs > 0 && now() >= requestedAt + confirmationTimeoutMs;
      // What a page offers does not come back by itself: its answer is that it is not there.
      if (name === undefined || name.startsWith(uiActionPrefix)) return false;
      return !expired && there.find(name) === undefined;
    });
  }

  /** Its questions never expire (`confirmationTimeout: 0`), and nobody answered them for as long as a snapshot is good. */
  #isLate({ open }: SuspendedTurn): boolean {
    const { confirmationTimeoutMs, now } = this.#options.services.tools;
    const limit = now() - this.#options.maxAgeMs;
    return confirmationTimeoutMs === 0 && open.length > 0 && open.every(({ requestedAt }) => requestedAt < limit);
  }

  async #giveUp({ turnId, open }: SuspendedTurn): Promise<void> {
    const { suspendedTurns, tools } = this.#options.services;
    const { journal, log, now } = tools;
    log.warn({ turnId }, 'a suspended turn is given up: nobody answered for longer than dataProtection.maxAge');
    for (const { actionId } of open) {
      const row = await journal.find(actionId);
      if (row !== undefined && row.state !== 'done') await closeRow(row, 'expired', { journal, log, now: now() });
    }
    await suspendedTurns?.delete(turnId);
  }

  /** An answered question is none: its action runs, and is waited for like any other. */
  #openQuestions({ suspension }: LiveTurn): number {
    const { openConfirmations } = this.#options.services.tools;
    return (suspension?.questions ?? []).filter(({ actionId }) => openConfirmations.isOpen(actionId)).length;
  }

  #leave(turn: LiveTurn): Promise<void> {
    const { log, openConfirmations } = this.#options.services.tools;
    log.info({ turnId: turn.id }, 'a turn that waits for its user is left to the next process');
    for (const { actionId } of turn.suspension?.questions ?? []) openConfirmations.leave(actionId);
    turn.suspend();
    this.#options.turns.forget(turn);
    this.#left.add(turn.id);
    return turn.suspension?.leave() ?? Promise.resolve();
  }
}
