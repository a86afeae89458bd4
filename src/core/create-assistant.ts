import type { Assistant, Session } from './assistant.ts';
import { LiveMap } from './collections/live-map.ts';
import { TurnError } from './errors/turn-error.ts';
import { ownerFault, requireOwner } from './identity/owner-check.ts';
import { anonymousPrincipal, type Principal } from './identity/principal.ts';
import { randomId } from './identity/random-id.ts';
import type { KeptTurnState } from './ports/suspended-turn-store.ts';
import { LiveSession, type StartSessionTurn } from './sessions/live-session.ts';
import { LiveTurn } from './turn/live-turn.ts';
import { RunningTurns } from './turn/running-turns.ts';
import { startTurn, type TurnStarter } from './turn/start-turn.ts';
import { restoredPrincipal, type SuspendedTurn, suspendedTurn } from './turn/turn-suspension.ts';
import type { TurnServices } from './turn/turn-services.ts';
import type { Turn } from './turn/turn.ts';

/** Bytes all ended turns together keep for resuming (wire.md 4: 64 MiB in all). */
const maxBufferedLength = 64 * 1024 * 1024;

export interface AssistantOptions {
  readonly services: TurnServices;
  /** Milliseconds (`server.flushInterval`). */
  readonly flushIntervalMs: number;
  /** Milliseconds (`server.disconnectGrace`). */
  readonly disconnectGraceMs: number;
  /** Milliseconds (`server.resumeWindow`). */
  readonly resumeWindowMs: number;
}

/** The core as the channels see it: sessions, turns and confirmations of this process. */
export function createAssistant(options: AssistantOptions): Assistant {
  return new LocalAssistant(options);
}

class LocalAssistant implements Assistant {
  readonly #services: TurnServices;
  readonly #starter: TurnStarter;
  readonly #turns: RunningTurns;
  readonly #sessions = new LiveMap<LiveSession>();
  /** Suspended turns that this process has taken up: each once. */
  readonly #resumed = new Set<string>();
  /** Turns that earlier processes kept. */
  #fromEarlier: Promise<readonly KeptTurnState[]> | undefined;
  #draining = false;

  constructor(options: AssistantOptions) {
    this.#services = options.services;
    this.#turns = new RunningTurns({
      resumeWindowMs: options.resumeWindowMs,
      maxBufferedLength,
      now: options.services.tools.now,
    });
    this.#starter = { ...options, runningTurns: this.#turns };
  }

  get draining(): boolean {
    return this.#draining;
  }

  get runningTurns(): number {
    return this.#turns.size;
  }

  openSession(options: Parameters<Assistant['openSession']>[0]): Session {
    return this.#open(options);
  }

  #open(options: Parameters<Assistant['openSession']>[0]): LiveSession {
    const id = options.id ?? randomId();
    const session = new LiveSession({
      id,
      principal: options.principal ?? anonymousPrincipal(id),
      channel: options.channel,
      authorization: options.authorization,
      startTurn: this.#startTurn,
      onReopened: options.onReopened,
      onClosed: (closed) => this.#sessions.delete(closed.id),
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  findSession(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId);
  }

  findTurn(turnId: string, caller: Principal): Turn | undefined {
    const turn = this.#turns.find(turnId);
    return turn === undefined || ownerFault(turn.principal, caller) !== undefined ? undefined : turn;
  }

  stopTurn(turnId: string, caller: Principal): boolean | undefined {
    const turn = this.#turns.find(turnId);
    if (turn !== undefined) requireOwner(turn.principal, caller);
    const owner = turn instanceof LiveTurn ? turn.owner : undefined;
    if (owner instanceof LiveSession && owner.activeTurn === turn) return owner.stop('user');
    return turn?.stop('user');
  }

  async answerConfirmation(
    answer: Parameters<Assistant['answerConfirmation']>[0],
    caller: Principal,
  ): ReturnType<Assistant['answerConfirmation']> {
    const outcome = await this.#services.tools.openConfirmations.answer(answer, caller);
    return { actionId: answer.actionId, outcome };
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    // A turn that does nothing but wait for its user goes on after the restart; there is no use in waiting for it here.
    const left = this.#turns
      .running()
      .filter((turn) => this.#openQuestions(turn) > 0 && this.#openQuestions(turn) === turn.suspension?.unfinished);
    const leaving = left.map((turn) => this.#suspend(turn));
    const { promise: graceOver, resolve: endGrace } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      for (const turn of this.#turns.running()) {
        if (this.#openQuestions(turn) > 0) leaving.push(this.#suspend(turn));
        else turn.stop('draining');
      }
      endGrace(undefined);
    }, graceMs);
    const ended = (): Promise<unknown> => Promise.all(this.#turns.running().map((turn) => turn.result));
    await Promise.race([ended(), graceOver.then(ended)]);
    clearTimeout(timer);
    await Promise.all(leaving);
  }

  async resumeSuspended(): Promise<void> {
    // Read once: from the first turn on the store holds those of this process too, and they must not run twice.
    this.#fromEarlier ??= this.#services.suspendedTurns?.all();
    for (const { turnId, state } of (await this.#fromEarlier) ?? []) {
      if (this.#draining) return;
      if (this.#resumed.has(turnId)) continue;
      const suspended = suspendedTurn(state);
      if (suspended === undefined) {
        this.#services.tools.log.error({ turnId }, 'a suspended turn cannot be read: it is given up');
        await this.#services.suspendedTurns?.delete(turnId);
        continue;
      }
      if (this.#lacksTools(suspended)) {
        this.#services.tools.log.warn({ turnId }, 'a suspended turn waits: the action it asks for is not there yet');
        continue;
      }
      // Before anything is awaited: whoever calls at the same time must not take it up too.
      this.#resumed.add(turnId);
      if (!(await this.#journalReads(suspended))) {
        this.#resumed.delete(turnId);
        continue;
      }
      const session = this.#open({ channel: suspended.channel, principal: restoredPrincipal(suspended.principal) });
      const turn = session.resume(suspended);
      void turn.result.then(() => {
        session.close('connection-closed');
      });
      await turn.suspension?.restored;
    }
  }

  /** Without the journal nobody knows what has run: the turn then stays in the store. */
  async #journalReads({ turnId, open }: SuspendedTurn): Promise<boolean> {
    const { journal, log } = this.#services.tools;
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
    const toolbox = this.#services.toolbox();
    const { confirmationTimeoutMs, now } = this.#services.tools;
    return open.some(({ callId, requestedAt }) => {
      const name = calls.find((call) => call.callId === callId)?.name;
      const expired = confirmationTimeoutMs > 0 && now() >= requestedAt + confirmationTimeoutMs;
      return name !== undefined && !expired && toolbox.find(name) === undefined;
    });
  }

  /** An answered question is none: its action runs, and is waited for like any other. */
  #openQuestions({ suspension }: LiveTurn): number {
    const { openConfirmations } = this.#services.tools;
    return (suspension?.questions ?? []).filter(({ actionId }) => openConfirmations.isOpen(actionId)).length;
  }

  #suspend(turn: LiveTurn): Promise<void> {
    for (const { actionId } of turn.suspension?.questions ?? []) this.#services.tools.openConfirmations.leave(actionId);
    turn.suspend();
    this.#turns.forget(turn);
    return turn.suspension?.leave() ?? Promise.resolve();
  }

  close(): Promise<void> {
    for (const session of this.#sessions.values()) session.close('draining');
    this.#turns.close();
    return Promise.resolve();
  }

  readonly #startTurn: StartSessionTurn = (run) => {
    const refusal = this.#draining
      ? new TurnError('refused', 'server_draining', 'the server is shutting down', { retryable: true })
      : run.refusal;
    return startTurn({ ...run, refusal }, this.#starter);
  };
}
