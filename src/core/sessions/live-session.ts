import type { SendOptions } from '../request/send-options.ts';
import type { Session } from './session.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { TurnError } from '../errors/turn-error.ts';
import type { Principal } from '../identity/principal.ts';
import { type CountedCaller, countedCaller } from '../limits/counted-caller.ts';
import { queuedBytes } from '../limits/queued-bytes.ts';
import { takeAttachments } from '../limits/take-attachments.ts';
import type { OpenedTurn } from '../record/opened-turn.ts';
import { requestOf } from '../record/turn-header.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import type { CurrentPage, SentMessage, TurnMessage, TurnRequest } from '../request/turn-request.ts';
import { Conversation } from '../turn/conversation/conversation.ts';
import { EndedTurn } from '../turn/live/ended-turn.ts';
import { LiveTurn } from '../turn/live/live-turn.ts';
import { type HandedOut, RemoteTurn } from '../turn/live/remote-turn.ts';
import type { TurnStart } from '../turn/start-turn.ts';
import type { TurnSnapshot } from '../turn/live/turn-snapshot.ts';
import { waitsForNextProcess } from '../turn/live/turn-stopped.ts';
import type { StopReason, Turn } from '../turn/live/turn.ts';
import { adoptRemote, handOut } from './adopt-remote.ts';
import { LiveConversation, type WaitingMessage } from './live-conversation.ts';
import type { LiveSessionOptions } from './live-session-options.ts';
import { anotherTurnRuns, exchangeStays, holding, tooMuchWaits } from './session-room.ts';

/** Most messages that wait for their turn in one session; the next is refused. */
const maxWaiting = 20;

/** The live state behind one connection or request: one conversation, one running turn, and the messages that wait. */
export class LiveSession implements Session {
  readonly id: string;
  #principal: Principal;
  #authorization: string | undefined;
  readonly #options: LiveSessionOptions<LiveSession>;
  #conversation = new LiveConversation<LiveSession>(this);
  #closed = false;

  constructor(options: LiveSessionOptions<LiveSession>) {
    this.id = options.id;
    this.#principal = options.principal;
    this.#authorization = options.authorization;
    this.#options = options;
  }

  get principal(): Principal {
    return this.#principal;
  }

  get conversationId(): string {
    return this.#conversation.transcript.id;
  }

  get activeTurn(): LiveTurn | RemoteTurn | undefined {
    return this.#conversation.active;
  }

  get transcript(): readonly KeptMessage[] {
    return this.#conversation.transcript.kept;
  }

  get waiting(): TurnSnapshot | undefined {
    const { active, stoppedWaiting } = this.#conversation;
    if (active === undefined) return stoppedWaiting;
    // A question that another replica has put is asked again by that replica, and not by a snapshot.
    return active instanceof RemoteTurn ? undefined : active.waiting;
  }

  // This is not an async function, because an async function would hold all that was sent until the turn begins.
  send(sent: SentMessage, options?: SendOptions): Promise<Turn> {
    const { message, place } = takeAttachments(sent, this.#caller, this.#options.attachments);
    const begun = this.#send(message, options);
    return place === undefined ? begun : begun.then((turn) => holding(place, turn));
  }

  startNow(sent: SentMessage, options?: SendOptions): Turn {
    const { message, place } = takeAttachments(sent, this.#caller, this.#options.attachments);
    const turn =
      this.activeTurn === undefined ? this.#start(message, options) : this.#refuse(message, options, anotherTurnRuns());
    return holding(place, turn);
  }

  get #caller(): CountedCaller | undefined {
    return countedCaller(this.#principal, this.#options.address);
  }

  #send(message: TurnMessage, options: SendOptions | undefined): Promise<Turn> {
    const { active, waiting } = this.#conversation;
    if (options?.signal?.aborted === true) return Promise.resolve(this.#runStopped(message, options));
    if (active === undefined || this.#closed) return Promise.resolve(this.#start(message, options));
    if (waiting.length >= maxWaiting) return Promise.resolve(this.#refuse(message, options, anotherTurnRuns()));
    const place = this.#options.queueRoom.take(this.#caller, queuedBytes(message, options?.page));
    if (place === undefined) return Promise.resolve(this.#refuse(message, options, tooMuchWaits()));
    return new Promise((resolve) => {
      this.#wait({ message, options, resolve, place });
    });
  }

  async stop(reason: StopReason): Promise<boolean> {
    if (this.activeTurn?.suspended === true) throw waitsForNextProcess();
    return this.#stop(reason);
  }

  /** Goes on with a turn that an earlier process kept, in its conversation (contract/restarts.md#turns). */
  takeUp(kept: OpenedTurn, isInterrupted: boolean): LiveTurn {
    const { conversationId, history } = kept.header;
    const conversation = this.#conversation;
    conversation.transcript = new Conversation({ id: conversationId, messages: history });
    const request = requestOf(kept.header);
    conversation.page = request.page;
    const turn = this.#options.startTurn({ request, conversation: conversation.transcript, kept, isInterrupted });
    this.#follow(turn);
    return turn;
  }

  newConversation(): { readonly conversationId: string } {
    this.#stop('user').catch(() => undefined);
    const { page } = this.#conversation;
    // The stopped turn still records into the conversation that it began in. Nobody sees that conversation any more.
    this.#conversation = new LiveConversation<LiveSession>(this);
    this.#conversation.page = page;
    return { conversationId: this.conversationId };
  }

  replaceConversation(
    messages: readonly KeptMessage[],
    { copyOf, id }: { readonly copyOf?: TurnSnapshot | undefined; readonly id?: string | undefined } = {},
  ): { readonly conversationId: string; readonly turn: LiveTurn | undefined } {
    if (this.#closed) throw new HelperError('unknown_connection', 'The connection is closed.');
    if (this.activeTurn !== undefined) {
      throw new HelperError(
        'turn_in_progress',
        'A turn runs in this conversation. Stop it, or try again when it has ended.',
      );
    }
    if (this.#options.isDraining()) {
      throw new HelperError('server_draining', 'The server restarts: restore the conversation once it is back.');
    }
    this.#conversation.transcript = new Conversation({ messages, ...(id === undefined ? {} : { id }) });
    this.#conversation.stoppedWaiting = undefined;
    if (copyOf === undefined) return { conversationId: this.conversationId, turn: undefined };
    // The copied turn has its message already: the message stands in its record.
    const turn = this.#run(this.#request({ text: '' }, { replaces: copyOf.replaces }), { copyOf });
    this.#follow(turn);
    this.#options.onCopy?.(turn);
    return { conversationId: this.conversationId, turn };
  }

  renew(principal: Principal, authorization: string | undefined): void {
    const { kind, userKey } = this.#principal;
    if (principal.kind !== kind || (kind === 'signed-in' && principal.userKey !== userKey)) return;
    // Anonymous callers keep the key they began with. Their roles are those of the token that they show now, and without one none.
    this.#principal = principal.kind === 'anonymous' ? { ...principal, userKey } : principal;
    this.#authorization = authorization;
  }

  /** Puts an empty conversation in the place of one that was deleted, or whose user's data was erased. The running turn is stopped. */
  forgetConversation(): void {
    this.#conversation.transcript.forget();
    this.newConversation();
  }

  rate(...rating: Parameters<Session['rate']>): ReturnType<Session['rate']> {
    return this.#conversation.transcript.rate(...rating);
  }

  setPage(page: CurrentPage): void {
    this.#conversation.page = page;
  }

  adopt(turn: Turn): void {
    if (turn instanceof RemoteTurn) {
      this.#adoptRemote(turn);
      return;
    }
    const owner = turn instanceof LiveTurn || turn instanceof EndedTurn ? turn.owner : undefined;
    if (!(owner instanceof LiveConversation) || owner === this.#conversation) return;
    const adopted = owner as LiveConversation<LiveSession>; // sessions alone make conversations
    if (turn.conversationId !== adopted.transcript.id) return;
    // A closed session is not closed a second time, so nothing would end a turn that it adopts. A session that runs a turn itself could
    // neither stop a second turn nor queue behind it.
    if (this.#closed || this.activeTurn !== undefined) return;
    const { page } = this.#conversation;
    adopted.session.#conversation = new LiveConversation<LiveSession>(adopted.session);
    adopted.session = this;
    adopted.page = page ?? adopted.page;
    this.#conversation = adopted;
  }

  /** Gives a conversation of this session to a session in another replica. Its running turn goes on here. */
  handOut(conversation: LiveConversation<LiveSession>): HandedOut {
    if (this.#conversation === conversation) this.#conversation = new LiveConversation<LiveSession>(this);
    return handOut(conversation, (waits) => {
      this.#drop(waits);
    });
  }

  #adoptRemote(turn: RemoteTurn): void {
    if (this.#closed || this.activeTurn !== undefined) return;
    const conversation = new LiveConversation<LiveSession>(this);
    conversation.page = this.#conversation.page;
    this.#conversation = conversation;
    const whole = adoptRemote(conversation, turn, ({ message, page, replaces }) => {
      if (this.#closed || this.#conversation !== conversation) return;
      const place = this.#options.queueRoom.take(this.#caller, queuedBytes(message, page));
      const resolve = (begun: Turn): void => this.#options.onCopy?.(begun);
      const options = { ...(page && { page }), replaces };
      if (place !== undefined) this.#wait({ message, options, resolve, place });
    });
    this.#follow(turn, whole);
  }

  close(reason: StopReason): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop(reason).catch(() => undefined);
    this.#options.onClosed(this);
  }

  /** Waiting messages are dropped at once, whatever becomes of the running turn. */
  #stop(reason: StopReason): Promise<boolean> {
    const { active, waiting } = this.#conversation;
    this.#conversation.waiting = [];
    const stopped = active?.stop(reason) ?? Promise.resolve(false);
    for (const dropped of waiting) this.#drop(dropped);
    return stopped.then((isStopped) => isStopped || waiting.length > 0);
  }

  /** Lets a message wait in the present conversation until its turn comes, or until the message is taken back. */
  #wait(waits: WaitingMessage): void {
    const conversation = this.#conversation;
    conversation.waiting.push(waits);
    const takeBack = (): void => {
      if (!conversation.waiting.includes(waits)) return;
      conversation.waiting = conversation.waiting.filter((other) => other !== waits);
      this.#drop(waits);
    };
    waits.options?.signal?.addEventListener('abort', takeBack, { once: true });
  }

  /** Ends the turn of a message that no longer waits as stopped, before that turn begins. */
  #drop({ message, options, resolve, place }: WaitingMessage): void {
    place.release();
    resolve(this.#runStopped(message, options));
  }

  #runStopped(message: TurnMessage, options: SendOptions | undefined): LiveTurn {
    return this.#run(this.#request(message, options), { stopped: true });
  }

  #start(message: TurnMessage, options: SendOptions | undefined): LiveTurn {
    // A deleted conversation keeps no messages, so the user goes on in a new one.
    if (this.#conversation.transcript.isForgotten) this.#conversation.transcript = new Conversation();
    const { replaces } = options ?? {};
    if (replaces !== undefined && !this.#conversation.transcript.canReplace(replaces))
      return this.#refuse(message, options, exchangeStays());
    const turn = this.#run(this.#request(message, options), { stopped: this.#closed });
    this.#follow(turn);
    return turn;
  }

  #refuse(message: TurnMessage, options: SendOptions | undefined, refusal: TurnError): LiveTurn {
    return this.#run(this.#request(message, options), { refusal });
  }

  #request(message: TurnMessage, options: SendOptions | undefined): TurnRequest {
    const { page, traceparent, language, isReadWhole, detached, replaces } = options ?? {};
    if (page !== undefined) this.#conversation.page = page;
    const { channel, uiActions, credential } = this.#options;
    return {
      caller: { principal: this.#principal, authorization: this.#authorization, traceparent, credential },
      channel,
      message,
      page: this.#conversation.page,
      uiActions: uiActions?.offered ?? [],
      ...(language === undefined ? {} : { language }),
      ...(isReadWhole === true ? { isReadWhole } : {}),
      ...(detached && { detached }),
      ...(replaces !== undefined && { replaces }),
    };
  }

  #run(request: TurnRequest, beginning: Pick<TurnStart, 'refusal' | 'stopped' | 'copyOf'>): LiveTurn {
    return this.#options.startTurn({ request, conversation: this.#conversation.transcript, ...beginning });
  }

  /** Makes a turn the running one, and lets the next waiting message go when it has ended. */
  #follow(turn: LiveTurn | RemoteTurn, isOver: Promise<unknown> = turn.result): void {
    const conversation = this.#conversation;
    conversation.active = turn;
    conversation.stoppedWaiting = undefined;
    if (turn instanceof LiveTurn && this.#options.channel.canHandOver) turn.owner = conversation;
    void isOver.then(() => {
      if (conversation.active !== turn) return;
      conversation.active = undefined;
      conversation.stoppedWaiting = turn instanceof LiveTurn ? turn.waiting : undefined;
      const next = conversation.waiting.shift();
      next?.place.release();
      // Another session may have taken the conversation over. The session that has it now starts the next message.
      if (next !== undefined) next.resolve(conversation.session.#start(next.message, next.options));
    });
  }
}
