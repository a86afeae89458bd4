import type { Assistant, Session } from './assistant.ts';
import { LiveMap } from './collections/live-map.ts';
import { TurnError } from './errors/turn-error.ts';
import { ownerFault, requireOwner } from './identity/owner-check.ts';
import { anonymousPrincipal, type Principal } from './identity/principal.ts';
import { randomId } from './identity/random-id.ts';
import type { CallerRoom } from './limits/caller-room.ts';
import { countedCaller } from './limits/counted-caller.ts';
import { TurnPlaces } from './limits/turn-places.ts';
import type { JournalRow } from './ports/confirmation-journal.ts';
import { LiveSession, type StartSessionTurn } from './sessions/live-session.ts';
import { InterruptedCalls } from './tools/interrupted-calls.ts';
import { leftToNextProcess, LiveTurn } from './turn/live-turn.ts';
import { RunningTurns } from './turn/running-turns.ts';
import { startTurn, type TurnStarter } from './turn/start-turn.ts';
import { TurnHandover } from './turn/turn-handover.ts';
import { restoredPrincipal, type SuspendedTurn } from './turn/turn-suspension.ts';
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
  /** Milliseconds a turn whose questions do not expire waits for its user over restarts (`dataProtection.maxAge`). */
  readonly maxSuspendedMs: number;
  /** Running turns (`server.maxTurnsPerUser`, `server.maxTurnsPerAddress`), and bytes of messages that wait for their turn. */
  readonly rooms: { readonly turns: CallerRoom; readonly queue: CallerRoom };
  /** Calls that an earlier process left running, to be made again (`recoverJournal`). */
  readonly interrupted: readonly JournalRow[];
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
  readonly #handover: TurnHandover;
  readonly #interrupted: InterruptedCalls;
  readonly #places: TurnPlaces;
  readonly #queueRoom: CallerRoom;

  constructor(options: AssistantOptions) {
    this.#services = options.services;
    this.#turns = new RunningTurns({
      resumeWindowMs: options.resumeWindowMs,
      maxBufferedLength,
      now: options.services.tools.now,
    });
    this.#handover = new TurnHandover({
      services: options.services,
      turns: this.#turns,
      resume: (suspended) => this.#resume(suspended),
      maxAgeMs: options.maxSuspendedMs,
    });
    this.#interrupted = new InterruptedCalls(options.interrupted, options.services);
    this.#starter = { ...options, runningTurns: this.#turns };
    this.#places = new TurnPlaces(options.rooms.turns, options.services.tools.metrics);
    this.#queueRoom = options.rooms.queue;
  }

  get draining(): boolean {
    return this.#handover.draining;
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
      uiActions: options.uiActions,
      address: options.address,
      startTurn: (run) => this.#startTurn(run, options.address),
      queueRoom: this.#queueRoom,
      onReopened: options.onReopened,
      isDraining: () => this.draining,
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
    if (this.#handover.hasLeft(turnId)) throw leftToNextProcess();
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
    await Promise.all([this.#handover.drain(graceMs), this.#interrupted.drain(graceMs)]);
  }

  resumeSuspended(): Promise<void> {
    this.#interrupted.retry();
    return this.#handover.takeUp();
  }

  #resume(suspended: SuspendedTurn): LiveTurn {
    const session = this.#open({ channel: suspended.channel, principal: restoredPrincipal(suspended.principal) });
    const turn = session.resume(suspended);
    void turn.result.then(() => {
      session.close('connection-closed');
    });
    return turn;
  }

  close(): Promise<void> {
    for (const session of this.#sessions.values()) session.close('draining');
    this.#turns.close();
    return Promise.resolve();
  }

  #startTurn(run: Parameters<StartSessionTurn>[0], address: string | undefined): LiveTurn {
    const refusal = this.draining
      ? new TurnError('refused', 'server_draining', 'the server is shutting down', { retryable: true })
      : run.refusal;
    const admitted = this.#places.admit({ ...run, refusal }, countedCaller(run.principal, address));
    const turn = startTurn(admitted.run, this.#starter);
    const { place } = admitted;
    if (place !== undefined) void turn.result.then(() => place.release());
    return turn;
  }
}
