import type { Assistant } from './assistant.ts';
import type { Session } from './sessions/session.ts';
import { DirectCalls } from './direct/direct-calls.ts';
import { joined } from './base/joined.ts';
import { LiveMap } from './base/live-map.ts';
import { randomId } from './base/random-id.ts';
import { untilStopped } from './base/until-stopped.ts';
import type { FollowUpMessages } from './conversations/follow-ups.ts';
import { type ConfirmationState, confirmationState } from './confirmations/confirmation-state.ts';
import { HelperError } from './errors/helper-error.ts';
import { TurnError } from './errors/turn-error.ts';
import { ofCaller, requireOwner } from './identity/owner-check.ts';
import { anonymousPrincipal, type Principal } from './identity/principal.ts';
import type { CallerRoom } from './limits/caller-room.ts';
import { countedCaller } from './limits/counted-caller.ts';
import type { AttachmentIntake } from './limits/take-attachments.ts';
import { TurnPlaces } from './limits/turn-places.ts';
import type { LiveNumbers } from './ports/metrics.ts';
import type { OpenedTurn } from './record/opened-turn.ts';
import { requestOf } from './record/turn-header.ts';
import type { KeptMessage } from './request/kept-message.ts';
import { channelTraits } from './request/turn-request.ts';
import { ForgetConversations, type MeantConversations } from './sessions/forget-conversations.ts';
import { LiveConversation } from './sessions/live-conversation.ts';
import { LiveSession } from './sessions/live-session.ts';
import type { StartSessionTurn } from './sessions/live-session-options.ts';
import { AnswerConfirmation } from './turn/kept/answer-confirmation.ts';
import { Drain, type ReleasedTurn } from './turn/kept/drain.ts';
import { ForgetEnded } from './turn/end/forget-ended.ts';
import { liveNumbers } from './turn/live/live-numbers.ts';
import { EndedTurn } from './turn/live/ended-turn.ts';
import { LiveTurn } from './turn/live/live-turn.ts';
import type { HandedOut } from './turn/live/remote-turn.ts';
import { RunningTurns } from './turn/running-turns.ts';
import { startTurn, type TurnStarter } from './turn/start-turn.ts';
import { TakeUp } from './turn/kept/take-up.ts';
import type { TurnServices } from './turn/live/turn-services.ts';
import { untilKept } from './turn/live/until-kept.ts';
import { waitsForNextProcess } from './turn/live/turn-stopped.ts';
import type { Turn } from './turn/live/turn.ts';

/** Bytes that all ended turns together keep for resuming (contract/sse.md#coming-back: 64 MiB in all). */
const maxBufferedLength = 64 * 1024 * 1024;

/** What the core is made of. */
export interface AssistantOptions {
  readonly services: TurnServices;
  /** Milliseconds (`server.flushInterval`). */
  readonly flushIntervalMs: number;
  /** Milliseconds (`server.disconnectGrace`). */
  readonly disconnectGraceMs: number;
  /** Milliseconds (`server.resumeWindow`). */
  readonly resumeWindowMs: number;
  /** Milliseconds that a turn waits for its user over restarts, when its questions do not expire (`dataProtection.maxAge`). */
  readonly maxSuspendedMs: number;
  /**
   * Room for running turns (`server.maxTurnsPerUser`, `server.maxTurnsPerAddress`), for bytes of messages that wait for their turn, and for
   * bytes of images and files.
   */
  readonly rooms: { readonly turns: CallerRoom; readonly queue: CallerRoom; readonly attachments: CallerRoom };
  /** Called when a turn of this process may go on in another replica. */
  readonly onReleased?: ((turn: ReleasedTurn) => Promise<void>) | undefined;
}

/** The core as the channels see it: sessions, turns and confirmations of this process. */
export function createAssistant(options: AssistantOptions): LocalAssistant {
  return new LocalAssistant(options);
}

/** The assistant of this process. Other replicas ask it for more than channels do. */
export class LocalAssistant implements Assistant {
  readonly direct = new DirectCalls(() => this.#starter.services);
  /** As `TakeUp.leaveOut`. */
  readonly leaveOut = (isLeft: (turnId: string) => boolean): void => this.#takeUp.leaveOut(isLeft);
  readonly #services: TurnServices;
  #starter: TurnStarter;
  readonly #turns: RunningTurns;
  readonly #sessions = new LiveMap<LiveSession>();
  readonly #drain: Drain;
  readonly #forget: ForgetConversations;
  readonly #takeUp: TakeUp;
  readonly #answers: AnswerConfirmation;
  readonly #forgetting: ForgetEnded;
  readonly #places: TurnPlaces;
  readonly #queueRoom: CallerRoom;
  readonly #attachments: AttachmentIntake;

  constructor(options: AssistantOptions) {
    const { services } = options;
    this.#services = services;
    this.#turns = new RunningTurns({
      resumeWindowMs: options.resumeWindowMs,
      maxBufferedLength,
      now: () => services.calls.clock.elapsed(),
    });
    const memory = (): TurnServices['memory'] => this.#starter.services.memory;
    this.#forget = new ForgetConversations({
      sessions: () => this.#sessions.values(),
      turns: this.#turns,
      memory,
      direct: this.direct,
    });
    const { store } = services.tape;
    this.#forgetting = new ForgetEnded({ ...services.calls, store, resumeWindowMs: options.resumeWindowMs });
    this.#drain = new Drain(services, this.#turns, options.onReleased);
    this.#takeUp = new TakeUp({
      services,
      turns: this.#turns,
      forgetting: this.#forgetting,
      goOn: (kept, isInterrupted) => this.#goOn(kept, isInterrupted),
      isDraining: () => this.draining,
      maxAgeMs: options.maxSuspendedMs,
    });
    this.#answers = new AnswerConfirmation(services.calls, this.#takeUp);
    const onQuestion = (turn: LiveTurn): void => {
      this.#drain.suspendWaiting(turn);
    };
    const onLost = (turn: LiveTurn): void => {
      this.#drain.lost(turn);
    };
    this.#starter = { ...options, runningTurns: this.#turns, onQuestion, onLost, forgetting: this.#forgetting };
    this.#places = new TurnPlaces(options.rooms.turns, services.calls.metrics);
    this.#queueRoom = options.rooms.queue;
    this.#attachments = {
      images: services.images,
      files: services.files?.settings,
      room: options.rooms.attachments,
      metrics: services.calls.metrics,
    };
  }

  get checksMessages(): boolean {
    return this.#services.guards?.input() !== undefined;
  }

  openConversations(userKey: string): readonly string[] {
    return this.#forget.open(userKey);
  }

  forgetConversations(meant: MeantConversations): Promise<boolean> {
    return this.#forget.forget(meant);
  }

  /** This process knows of no other replica. */
  async replicaOfTurn(): Promise<undefined> {}

  async replicaOfQuestion(): Promise<undefined> {}

  async serveWith(services: TurnServices): Promise<void> {
    this.#starter = { ...this.#starter, services };
    this.direct.offerChanged();
    await Promise.all([this.direct.settled(), ...this.#turns.running().map((turn) => turn.result)]);
  }

  get handsOver(): boolean {
    return this.#drain.handsOver;
  }

  get draining(): boolean {
    return this.#drain.isDraining;
  }

  get runningTurns(): number {
    return this.#turns.size;
  }

  get live(): LiveNumbers {
    const { openConfirmations } = this.#services.calls;
    return liveNumbers(this.#turns.running(), [...openConfirmations.waiting, ...this.direct.waiting]);
  }

  openSession(options: Parameters<Assistant['openSession']>[0]): Session {
    return this.#open(options);
  }

  #open(options: Parameters<Assistant['openSession']>[0]): LiveSession {
    const id = options.id ?? randomId();
    const session = new LiveSession({
      id,
      principal: options.principal ?? anonymousPrincipal(id),
      channel: channelTraits[options.channel],
      authorization: options.authorization,
      credential: options.credential,
      uiActions: options.uiActions,
      address: options.address,
      startTurn: (start) => this.#startTurn(start, options.address),
      queueRoom: this.#queueRoom,
      attachments: this.#attachments,
      onCopy: options.onCopy,
      isDraining: () => this.draining,
      onClosed: (closed) => this.#sessions.delete(closed.id),
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  findSession(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId);
  }

  async untilKept(turn: Turn): Promise<void> {
    if (turn instanceof LiveTurn) await untilKept(turn);
  }

  async findTurn(...[turnId, caller, onForeign]: Parameters<Assistant['findTurn']>): Promise<Turn | undefined> {
    await this.#takeUp.untilTakenUp(turnId);
    return ofCaller(this.#turns.find(turnId), caller, onForeign);
  }

  async followTurn(turnId: string): Promise<Turn | 'later' | undefined> {
    await this.#takeUp.untilTakenUp(turnId);
    return this.#turns.find(turnId) ?? (this.#takeUp.isComing(turnId) ? 'later' : undefined);
  }

  /** As `TakeUp.lookFor`. */
  lookForTurn(turnId: string, options?: { readonly isFree?: boolean }): Promise<void> {
    return this.#takeUp.lookFor(turnId, options);
  }

  /** Takes the conversation of a turn away from the session that has it, for a session in another replica. */
  handOut(turnId: string): HandedOut | undefined {
    const conversation = this.#conversationOf(turnId);
    const session: unknown = conversation?.session;
    return conversation && session instanceof LiveSession ? session.handOut(conversation) : undefined;
  }

  /** The conversation of a turn. Undefined where it cannot be handed over. */
  transcriptOf(turnId: string): readonly KeptMessage[] | undefined {
    return this.#conversationOf(turnId)?.transcript.kept;
  }

  #conversationOf(turnId: string): LiveConversation<LiveSession> | undefined {
    const turn = this.#turns.find(turnId);
    const owner = turn instanceof LiveTurn || turn instanceof EndedTurn ? turn.owner : undefined;
    if (!(owner instanceof LiveConversation)) return undefined;
    const conversation = owner as LiveConversation<LiveSession>; // sessions alone make conversations
    // The session may have gone on with another conversation, or with another turn of this one.
    const isOfTurn = turn?.conversationId === conversation.transcript.id;
    return isOfTurn && (conversation.active ?? turn) === turn ? conversation : undefined;
  }

  async stopTurn(turnId: string, caller: Principal): Promise<boolean | undefined> {
    if (this.#drain.hasSuspended(turnId)) throw waitsForNextProcess();
    const turn = this.#turns.find(turnId);
    if (turn !== undefined) requireOwner(turn.principal, caller);
    const owner = turn instanceof LiveTurn ? turn.owner : undefined;
    const session: unknown = owner instanceof LiveConversation ? owner.session : undefined;
    if (session instanceof LiveSession && session.activeTurn === turn) return session.stop('user');
    return turn?.stop('user');
  }

  answerConfirmation(
    answer: Parameters<Assistant['answerConfirmation']>[0],
    caller: Principal,
  ): ReturnType<Assistant['answerConfirmation']> {
    return this.#answers.take(answer, caller);
  }

  async confirmation(actionId: string, caller: Principal): Promise<ConfirmationState> {
    const state = await confirmationState(this.#services.calls.journal, actionId, caller);
    if (state === undefined) throw new HelperError('nothing_to_answer', 'There is no confirmation with this id.');
    return state;
  }

  async turnOfConfirmation(actionId: string, caller: Principal): Promise<Turn | 'later' | undefined> {
    await this.confirmation(actionId, caller);
    const row = await this.#services.calls.journal.find(actionId);
    return row && this.followTurn(row.turnId);
  }

  async followUps(session: Session, signal: AbortSignal): Promise<FollowUpMessages> {
    const { activeTurn } = session;
    // The last event of a turn is told a moment before the session is done with it.
    if (activeTurn?.running === false) await untilStopped(activeTurn.result, signal);
    const { followUps, toolbox } = this.#starter.services;
    const isBusy = session.activeTurn !== undefined || session.waiting !== undefined;
    return followUps === undefined || isBusy ? { messages: [], pages: [] } : followUps.of(session, toolbox(), signal);
  }

  async drain(graceMs: number): Promise<void> {
    await joined([this.#drain.run(graceMs), this.direct.drain(graceMs)]);
  }

  takeUpTurns(): Promise<void> {
    return this.#takeUp.run();
  }

  #goOn(kept: OpenedTurn, isInterrupted: boolean): LiveTurn {
    const earlier = this.#turns.find(kept.header.turnId);
    if (earlier instanceof LiveTurn) this.#drain.lost(earlier);
    this.#drain.cameBack(kept.header.turnId);
    const { caller, channel } = requestOf(kept.header);
    const session = this.#open({ channel: channel.name, principal: caller.principal });
    const turn = session.takeUp(kept, isInterrupted);
    void turn.result.then(() => {
      session.close('connection-closed');
    });
    return turn;
  }

  close(): Promise<void> {
    for (const session of this.#sessions.values()) session.close('draining');
    this.#turns.close();
    this.#forgetting.close();
    return Promise.resolve();
  }

  #startTurn(start: Parameters<StartSessionTurn>[0], address: string | undefined): LiveTurn {
    const refused = this.draining
      ? {
          ...start,
          refusal: new TurnError('refused', 'server_draining', 'the server is shutting down', { retryable: true }),
        }
      : start;
    const caller = countedCaller(start.request.caller.principal, address);
    const { admitted, place } = this.#places.admit(refused, caller);
    const turn = startTurn({ ...admitted, caller }, this.#starter);
    if (place !== undefined) void turn.result.then(() => place.release());
    return turn;
  }
}
