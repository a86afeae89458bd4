import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { SendMessageResult } from '../../wire/hub-methods.ts';
import { type HubLink, HubRefusal } from '../transport/hub-port.ts';
import { applyEvent, type TurnHubEvent } from './apply-event.ts';
import { ConversationKeeper } from './conversation-keeper.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { answerConfirmation, type Answering } from './confirmation-answer.ts';
import {
  type ApprovalOptions,
  append,
  type ConversationState,
  emptyConversation,
  navigationHandled,
  stopFailed,
  type Notice,
  type UserMessage,
} from './conversation-state.ts';
import { endTurn } from './end-turn.ts';
import { askResume, goOn } from './go-on.ts';
import { closed, isReturned, sendOptions, shownImages, unsent } from './sent-message.ts';
import { offering } from './offer-page.ts';
import { PutAside } from './put-aside.ts';
import { type SavedConversation, userOf } from './saved-conversation.ts';
import { after, WaitingList } from './waiting-list.ts';

/** How long a message waits, unseen, for the conversation of the page before. */
const patienceMs = 1000;

/** One conversation of one page: what the user does goes in, states of the transcript come out. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #hub: HubLink;
  #state: ConversationState;
  #connectionId: string | null = null;
  readonly #keeper: ConversationKeeper;
  readonly #view: Answering;
  readonly #offer: () => Promise<void>;
  /** What waits behind the turn. */
  readonly waiting = new Set<UserMessage>();
  #asking: Promise<void> = Promise.resolve();
  /** Ends when the server knows which conversation goes on on a new connection. */
  #resuming: Promise<void> = Promise.resolve();
  /** Whoever waits for the running turn to end. */
  readonly #idle = new WaitingList();
  /** The next connection is no one that came back by itself. */
  #wasClosed = false;
  /** Lets the user take "New conversation" back. */
  readonly aside: PutAside;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#state = emptyConversation(options.isDemo);
    const state = (): ConversationState => this.#state;
    this.aside = new PutAside({
      state,
      change: (changed) => this.#change(changed),
      sweep: () => void this.newConversation(),
    });
    this.#view = { control: options.control, state, change: (changed) => this.#change(changed) };
    this.#keeper = new ConversationKeeper({
      sessions: options.sessions,
      state,
      change: (changed) => this.#change(changed, null, false),
      onPutBack: () => options.listener.onPutBack(),
      resume: (turnId, afterSeq) => askResume(this.#hub, turnId, afterSeq),
      stop: (connectionId) => options.control.cancel(connectionId),
    });
    this.#hub = options.connect({
      onTurnEvent: (event) => this.#receive(event),
      onUiAction: (request) => options.actions.run(request),
      onConnected: (fields, subject) => this.#connected(fields, subject),
      onConnecting: () => this.#change({ ...this.#state, connection: 'connecting' }),
      onReconnecting: () => this.#change({ ...this.#state, connection: 'reconnecting' }),
      onReconnected: () => void (this.#resuming = this.#resume()),
      onRestored: () => this.#restored(),
      onClosed: (refused) => this.#closed(refused),
      onOtherUser: () => this.#changeUser(),
    });
    this.#offer = offering({ ...options, hub: this.#hub, onRefused: options.listener.onOfferRefused });
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** What the next page of this tab goes on with, and what the page before has left. */
  get kept(): Pick<ConversationKeeper, 'saved' | 'pending'> {
    return this.#keeper;
  }

  /** Goes on where the page before has ended, as soon as the server can be reached as the same user. */
  restore(saved: SavedConversation): void {
    this.#change({ ...this.#emptied(), connection: this.#state.connection }, null, false);
    this.#keeper.begin(saved);
    void this.#putBack();
  }

  /** Resolves when the turn has ended, however it ended. A second message waits for the first. */
  async send(message: UserMessage): Promise<void> {
    // What was put aside is not wanted back by whoever begins anew.
    if (this.#state.isAside) void this.newConversation();
    this.waiting.add(message);
    const { pending } = this.#keeper;
    // A turn that runs goes on first, and the message behind it.
    if (pending !== null)
      await Promise.race([this.#putBack(), ...(pending.turn?.isRunning === true ? [] : [after(patienceMs)])]);
    while (this.#state.turn !== null) await this.#idle.wait();
    // Whoever wanted to say it has begun anew, or has left the page.
    if (!this.waiting.delete(message)) return;
    const asked = append(this.#state, { kind: 'user', text: message.text, ...shownImages(message) });
    this.#change({ ...asked, turn: { turnId: null, lastSeq: 0, isSent: false, isStopping: false, message } });
    const ended = this.#idle.wait();
    // The call before is answered after the last event of its turn: only then is every event one of this turn.
    this.#asking = this.#asking.then(() => this.#ask(message));
    await ended;
  }

  /** Ends the running turn, an open confirmation included. */
  async stop(): Promise<void> {
    const { turn } = this.#state;
    if (turn === null || turn.isStopping) return;
    this.#change({ ...this.#state, turn: { ...turn, isStopping: true } });
    // What was not sent never will be.
    if (!turn.isSent || this.#connectionId === null) this.#change(endTurn(this.#state, 'stopped'));
    // A turn whose connection is being restored is stopped when that is back.
    else if (this.#hub.isConnected) await this.#cancel();
  }

  /** Answers a confirmation; the box keeps the outcome. A failed request can be repeated. */
  async answer(actionId: string, approved: boolean, options: ApprovalOptions = {}): Promise<void> {
    await answerConfirmation(this.#view, { actionId, approved, ...options });
  }

  /** Empties the transcript; on the server a running turn is stopped first. */
  async newConversation(): Promise<void> {
    const { connection } = this.#state;
    this.#change({ ...this.#emptied(), connection });
    this.#idle.release();
    // A connection whose line is being restored takes the call, too.
    if (this.#keeper.asking !== null) await this.#keeper.asking;
    if (this.#connectionId !== null) await this.#hub.invoke('NewConversation').catch(() => undefined);
  }

  /** The page may have another user from now on, who begins with an empty conversation. */
  async checkUser(): Promise<void> {
    await this.#hub.checkUser();
    if (this.#keeper.pending !== null) void this.#putBack();
  }

  /** Remembers that the page took over a navigation. */
  markNavigationHandled(url: string): void {
    this.#change(navigationHandled(this.#state, url));
  }

  async close(): Promise<void> {
    this.aside.end();
    await this.#hub.stop();
  }

  async #ask(message: UserMessage): Promise<void> {
    if (!this.#isAbout(message)) return;
    try {
      do {
        await this.#hub.connect();
        await this.#resuming;
      } while (!this.#hub.isConnected && this.#isAbout(message));
    } catch (error) {
      this.#fail(message, { type: error instanceof HubRefusal ? error.type : 'unreachable' });
      return;
    }
    await this.#offer();
    const isReady = await this.#keeper.finish();
    const { turn } = this.#state;
    if (turn?.message !== message) return;
    if (!isReady) {
      this.#fail(message, { type: 'unreachable' });
      return;
    }
    this.#change({ ...this.#state, turn: { ...turn, isSent: true } });
    try {
      const result = await this.#hub.invoke('SendMessage', message.text, sendOptions(message, this.#options.page()));
      this.#settle(message, result as SendMessageResult); // contract/hub.md
    } catch {
      // A lost connection rejects the call while its turn lives on: then `Resume` decides, not this.
      if (this.#hub.isConnected && this.#state.turn?.turnId === null) this.#fail(message, { type: 'failed' });
    }
  }

  /** The events have told everything already, unless one was lost; what the server refused goes back to the composer. */
  #settle(message: UserMessage, result: SendMessageResult): void {
    if (this.#isAbout(message)) this.#change(endTurn(this.#state, 'none'));
    if (isReturned(result, message)) this.#options.listener.onReturned(message);
  }

  /** The running turn is the message's: it was neither stopped nor swept away by a new conversation. */
  #isAbout(message: UserMessage): boolean {
    return this.#state.turn?.message === message;
  }

  #fail(message: UserMessage, notice: Notice): void {
    if (this.#isAbout(message)) this.#change(unsent(this.#state, message, notice));
  }

  #receive(event: TurnHubEvent): void {
    const isNews = this.#keeper.isNews(event.fields);
    const next = applyEvent(this.#state, event, isNews);
    if (next === this.#state) return;
    this.#change(next, event, isNews);
    // The server had not begun with it when it was to stop.
    if (event.name === 'TurnStarted' && next.turn?.isStopping === true) void this.#cancel();
    if (event.name === 'TurnCompleted') this.#keeper.turnEnded(event.fields, this.#connectionId);
    // The page before went there.
    if (event.name === 'NavigationRequested' && !isNews) this.markNavigationHandled(event.fields.url);
  }

  #connected({ connectionId, user, settings }: ConnectionHubEvents['Connected'], subject: string): void {
    this.#connectionId = connectionId;
    const { maxMessageLength, demo } = settings;
    this.#change({ ...this.#state, connection: 'connected', maxMessageLength, isDemo: demo });
    this.#keeper.connected(connectionId, userOf(user, subject));
    if (this.#wasClosed) this.#resuming = this.#resume();
    this.#wasClosed = false;
  }

  async #putBack(): Promise<void> {
    const { settled } = this.#keeper;
    this.#hub.connect().then(
      () => this.#keeper.connected(this.#connectionId),
      () => {
        this.#change({ ...this.#state, connection: 'lost' });
        this.#keeper.gaveUp();
      },
    );
    await settled;
  }

  #resume(): Promise<void> {
    void this.#offer();
    return goOn({
      ...this.#view,
      hub: this.#hub,
      keeper: this.#keeper,
      connectionId: () => this.#connectionId,
      cancel: () => this.#cancel(),
    });
  }

  /** The turn that is to stop could not be told while there was no line. */
  #restored(): void {
    this.#change({ ...this.#state, connection: 'connected' });
    if (this.#state.turn?.isStopping === true) void this.#cancel();
  }

  async #cancel(): Promise<void> {
    if (this.#connectionId !== null) {
      await this.#options.control.cancel(this.#connectionId).catch(() => this.#change(stopFailed(this.#state)));
    }
  }

  #closed(refused: 'signed-out' | null): void {
    this.#connectionId = null;
    this.#wasClosed = true;
    this.#keeper.gaveUp();
    this.#change(closed(this.#state, refused));
  }

  /** What was said before is none of the next user's business (contract/widget.md#who-is-signed-in). */
  #changeUser(): void {
    const { connection, entries, turn } = this.#state;
    // It may be the new user's: that is seen when the server has named him.
    const { pending } = this.#keeper;
    const emptied = this.#emptied();
    if (pending !== null) this.#keeper.begin(pending);
    this.#connectionId = null;
    if (turn !== null && connection === 'connecting') {
      // What waits for this very connection was asked by whoever is there now.
      this.#change({ ...emptied, connection, turn, entries: entries.slice(-1) });
      return;
    }
    this.#options.listener.onOtherUser();
    this.#change(emptied);
    this.#idle.release();
  }

  #emptied(): ConversationState {
    const { maxMessageLength, isDemo, nextId } = this.#state;
    this.aside.end();
    this.#keeper.forget();
    this.waiting.clear();
    return { ...emptyConversation(isDemo), maxMessageLength, nextId };
  }

  #change(state: ConversationState, event: TurnHubEvent | null = null, isNews = true): void {
    const hasEnded = this.#state.turn !== null && state.turn === null;
    this.#state = state;
    if (state.isAside) this.waiting.clear();
    this.#options.listener.onChange(state, event, isNews);
    if (hasEnded) this.#idle.release();
  }
}
