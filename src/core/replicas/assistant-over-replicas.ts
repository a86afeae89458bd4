import { setTimeout as delay } from 'node:timers/promises';
import type { Assistant } from '../assistant.ts';
import { makerOf } from '../base/hinted-id.ts';
import { nothingToAnswer } from '../confirmations/answer-faults.ts';
import type { ConfirmationState } from '../confirmations/confirmation-state.ts';
import { isOfCall } from '../direct/asked-call.ts';
import { HelperError } from '../errors/helper-error.ts';
import { ofCaller } from '../identity/owner-check.ts';
import type { Principal } from '../identity/principal.ts';
import { AnswerFailed } from '../ports/answer-failed.ts';
import { BusAway } from '../ports/bus-away.ts';
import type { ConfirmationJournal } from '../ports/confirmation-journal.ts';
import type { LiveNumbers } from '../ports/metrics.ts';
import type { Logger } from '../ports/logger.ts';
import { clusterUnavailable } from '../ports/over-bus.ts';
import type { ReplicaBus } from '../ports/replica-bus.ts';
import { ReplicaGone } from '../ports/replica-gone.ts';
import type { SharedTurns } from '../ports/turn-store.ts';
import type { MeantConversations } from '../sessions/forget-conversations.ts';
import type { Session } from '../sessions/session.ts';
import { RemoteTurn } from '../turn/live/remote-turn.ts';
import type { TurnServices } from '../turn/live/turn-services.ts';
import type { Turn } from '../turn/live/turn.ts';
import { answerReplicas } from './answer-replicas.ts';
import { ConversationsElsewhere } from './conversations-elsewhere.ts';
import type { OwnAssistant } from './own-assistant.ts';
import { PagesOfReaders } from './pages-of-readers.ts';
import { RemoteTurns } from './remote-turns.ts';
import { object, sentPrincipal, turnKinds, valueOf } from './turn-messages.ts';
import { type TurnPlace, TurnPlaces } from './turn-places.ts';

/** How long an answer waits for a replica to go on with its turn, in milliseconds. */
const longestWaitMs = 20_000;

/** Milliseconds between two attempts. */
const againAfterMs = 250;

/** What joins the replicas of one server. */
export interface ReplicaParts {
  readonly bus: ReplicaBus;
  readonly shared: SharedTurns;
  readonly journal: Pick<ConfirmationJournal, 'find'>;
  readonly log: Logger;
}

type Answer = Parameters<Assistant['answerConfirmation']>[0];
type Answered = Awaited<ReturnType<Assistant['answerConfirmation']>>;

/**
 * The assistant of a server that is one of several replicas (contract/replicas.md). A turn and its questions belong to one replica at a
 * time. What is asked of them here is passed on to that replica, and the turn is found again when it goes on in another one.
 */
export class AssistantOverReplicas implements Assistant {
  readonly #local: OwnAssistant;
  readonly #parts: ReplicaParts;
  readonly #places: TurnPlaces;
  readonly #turns: RemoteTurns;
  readonly #conversations: ConversationsElsewhere;

  /** From now on the other replicas are answered. */
  constructor(local: OwnAssistant, parts: ReplicaParts) {
    const { bus, shared, log } = parts;
    const pages = new PagesOfReaders();
    this.#local = local;
    this.#parts = parts;
    this.#places = new TurnPlaces(local, bus, shared);
    this.#turns = new RemoteTurns(bus, local, { places: this.#places, pages });
    this.#conversations = new ConversationsElsewhere(bus, shared);
    answerReplicas(bus, local, { pages, places: this.#places, log });
  }

  get direct(): Assistant['direct'] {
    return this.#local.direct;
  }

  get checksMessages(): boolean {
    return this.#local.checksMessages;
  }

  get draining(): boolean {
    return this.#local.draining;
  }

  get handsOver(): boolean {
    return this.#local.handsOver;
  }

  get runningTurns(): number {
    return this.#local.runningTurns;
  }

  get live(): LiveNumbers {
    return this.#local.live;
  }

  openSession(options: Parameters<Assistant['openSession']>[0]): Session {
    return this.#local.openSession(options);
  }

  findSession(sessionId: string): Session | undefined {
    return this.#local.findSession(sessionId);
  }

  followUps(...asked: Parameters<Assistant['followUps']>): ReturnType<Assistant['followUps']> {
    return this.#local.followUps(...asked);
  }

  untilKept(turn: Turn): Promise<void> {
    return this.#local.untilKept(turn);
  }

  async findTurn(...[turnId, caller, onForeign]: Parameters<Assistant['findTurn']>): Promise<Turn | undefined> {
    return ofCaller(this.#turnAt(await this.#places.find(turnId)), caller, onForeign);
  }

  async followTurn(turnId: string): Promise<Turn | 'later' | undefined> {
    return this.#turnAt(await this.#places.find(turnId));
  }

  async stopTurn(turnId: string, caller: Principal): Promise<boolean | undefined> {
    const place = await this.#places.find(turnId, { isUrgent: true });
    if (place?.kind !== 'there') return this.#local.stopTurn(turnId, caller);
    const body = { turnId, caller: sentPrincipal(caller) };
    const stopped = await this.#asked({ replica: place.replica, kind: turnKinds.stopOfUser, body });
    if (stopped === 'elsewhere') throw clusterUnavailable();
    return typeof stopped === 'boolean' ? stopped : undefined;
  }

  /** The replica that the id names is asked first. Then the turn of the question is looked for, because it may go on in another replica. */
  async answerConfirmation(answer: Answer, caller: Principal): Promise<Answered> {
    const until = performance.now() + longestWaitMs;
    for (let replica = makerOf(answer.actionId); ;) {
      const answered = await this.#answeredBy(replica, answer, caller);
      if (answered !== 'elsewhere') return answered;
      const row = await this.#parts.journal.find(answer.actionId).catch(() => 'unread' as const);
      if (row === undefined) throw nothingToAnswer();
      // The question is over, or cannot be read: this replica tells what is known of it.
      if (row === 'unread' || row.state !== 'requested') return this.#local.answerConfirmation(answer, caller);
      const place = await this.#places.find(row.turnId, { isUrgent: true });
      if (place === undefined) return this.#local.answerConfirmation(answer, caller);
      replica = place.kind === 'there' ? place.replica : this.#parts.bus.replica;
      if (performance.now() > until) throw clusterUnavailable();
      await delay(againAfterMs);
    }
  }

  confirmation(actionId: string, caller: Principal): Promise<ConfirmationState> {
    return this.#local.confirmation(actionId, caller);
  }

  async turnOfConfirmation(actionId: string, caller: Principal): Promise<Turn | 'later' | undefined> {
    await this.confirmation(actionId, caller);
    const row = await this.#parts.journal.find(actionId);
    return row && this.followTurn(row.turnId);
  }

  async replicaOfTurn(turnId: string, signal: AbortSignal): Promise<string | undefined> {
    const place = await this.#places.find(turnId, { signal, isUrgent: true });
    return place?.kind === 'there' ? place.replica : undefined;
  }

  async replicaOfQuestion(actionId: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.direct.questions.isHere(actionId)) return undefined;
    // A question that cannot be read here is answered as one: this replica says why.
    const row = await this.#parts.journal.find(actionId).catch(() => undefined);
    if (row === undefined) return undefined;
    const maker = makerOf(actionId);
    if (isOfCall(row)) return maker === this.#parts.bus.replica ? undefined : maker;
    return row.state === 'requested' ? this.replicaOfTurn(row.turnId, signal) : undefined;
  }

  async openConversations(userKey: string): Promise<readonly string[]> {
    const elsewhere = await this.#conversations.open(userKey);
    return [...new Set([...(await this.#local.openConversations(userKey)), ...elsewhere])];
  }

  async forgetConversations(meant: MeantConversations): Promise<boolean> {
    const [here, elsewhere] = await Promise.all([
      this.#local.forgetConversations(meant),
      this.#conversations.forget(meant),
    ]);
    return here && elsewhere;
  }

  serveWith(services: TurnServices): Promise<void> {
    return this.#local.serveWith(services);
  }

  takeUpTurns(): Promise<void> {
    return this.#local.takeUpTurns();
  }

  drain(graceMs: number): Promise<void> {
    return this.#local.drain(graceMs);
  }

  close(): Promise<void> {
    return this.#local.close();
  }

  #turnAt(place: TurnPlace | undefined): Turn | undefined {
    return place?.kind === 'there' ? new RemoteTurn(place.found, this.#turns) : place?.turn;
  }

  async #answeredBy(replica: string | undefined, answer: Answer, caller: Principal): Promise<Answered | 'elsewhere'> {
    try {
      if (replica === undefined || replica === this.#parts.bus.replica) {
        return await this.#local.answerConfirmation(answer, caller);
      }
      const body = { answer, caller: sentPrincipal(caller) };
      const answered = await this.#asked({ replica, kind: turnKinds.answer, body });
      if (answered === 'elsewhere') return answered;
      const { outcome } = object(answered);
      return { actionId: answer.actionId, outcome: outcome === 'approved' ? 'approved' : 'declined' };
    } catch (error) {
      // An answered question says so with its outcome. Without one, the question may be open elsewhere.
      const isUnknown =
        error instanceof HelperError && error.code === 'nothing_to_answer' && !('outcome' in error.details);
      if (isUnknown || (error instanceof HelperError && error.code === 'server_draining')) return 'elsewhere';
      throw error;
    }
  }

  /**
   * `elsewhere`: there is no such replica any more.
   * @throws HelperError what the other replica has met; `cluster_unavailable` when it does not answer, so that nobody knows what it has done.
   */
  async #asked(call: Parameters<ReplicaBus['ask']>[0]): Promise<unknown> {
    try {
      return valueOf(await this.#parts.bus.ask(call));
    } catch (error) {
      if (error instanceof ReplicaGone) return 'elsewhere';
      throw error instanceof BusAway || error instanceof AnswerFailed ? clusterUnavailable() : error;
    }
  }
}
