import type { ShownFeedback } from '../../wire/feedback-body.ts';
import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { OpenConversationResult, SendMessageResult } from '../../wire/hub-methods.ts';
import { type HubLink, HubRefusal } from '../transport/hub-port.ts';
import { applyEvent, type TurnHubEvent } from './apply-event.ts';
import { ConversationKeeper } from './conversation-keeper.ts';
import { begun, connectedState, emptied, withStatus } from './connected-state.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { answerConfirmation, type Answering } from './confirmation-answer.ts';
import {
  type ApprovalOptions,
  append,
  type ConversationState,
  mapEntries,
  navigationHandled,
  stopFailed,
  type Notice,
  type UserMessage,
} from './conversation-state.ts';
import { endTurn } from './end-turn.ts';
import { askResume, goOn } from './go-on.ts';
import { closed, isReturned, lostBy, replacedBy, sendOptions, shownImages, unsent } from './sent-message.ts';
import { offering } from './offer-page.ts';
import { PutAside } from './put-aside.ts';
import { saidBefore } from './said-before.ts';
import { type SavedConversation, userOf } from './saved-conversation.ts';
import { after, WaitingList } from './waiting-list.ts';

/** How long a message waits, unseen, until the conversation of the page before is restored. */
const patienceMs = 1000;

/** One conversation of one page. It has a method for each thing that the user can do. It reports each new state of the transcript. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #hub: HubLink;
  #state: ConversationState;
  #connectionId: string | null = null;
  readonly #keeper: ConversationKeeper;
  readonly #view: Answering;
  readonly #offer: () => Promise<void>;
  readonly waiting = new Set<UserMessage>();
  #asking: Promise<void> = Promise.resolve();
  #resuming: Promise<void> = Promise.resolve();
  readonly #idle = new WaitingList();
  /** The connection was closed, so the next one is newly opened and not a restored one. */
  #wasClosed = false;
  readonly aside: PutAside;
  declare onOtherUser?: () => void; // Set by the chunk that shows what the server keeps of the user.

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#state = begun(options.settings);
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
      onStatus: (told) => this.#change(withStatus(this.#state, told, options.settings)),
      isAwaiting: () => this.#state.turn !== null,
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
  /** Null while no connection stands. */
  get connectionId(): string | null {
    return this.#connectionId;
  }
  get kept(): Pick<ConversationKeeper, 'saved' | 'pending'> {
    return this.#keeper;
  }

  /** Continues the conversation of the page before, as soon as the server can be reached as the same user. */
  restore(saved: SavedConversation): void {
    this.#change({ ...this.#emptied(), connection: this.#state.connection }, null, false);
    this.#keeper.begin(saved);
    void this.#putBack();
  }

  /** Resolves when the turn has ended, in whatever way. A second message waits for the first. */
  async send(message: UserMessage): Promise<void> {
    // A user who sends a message does not want the put-aside conversation back.
    if (this.#state.isAside) void this.newConversation();
    this.waiting.add(message);
    const { pending } = this.#keeper;
    // The restored turn runs first. This message waits behind it.
    if (pending !== null)
      await Promise.race([this.#putBack(), ...(pending.turn?.isRunning === true ? [] : [after(patienceMs)])]);
    while (this.#state.turn !== null) await this.#idle.wait();
    // The user has begun a new conversation or has left the page meanwhile.
    if (!this.waiting.delete(message)) return;
    const { entries, replaced } = replacedBy(message, this.#state.entries);
    const asked = append({ ...this.#state, entries }, { kind: 'user', text: message.text, ...shownImages(message) });
    this.#change({ ...asked, turn: { turnId: null, lastSeq: 0, isSent: false, isStopping: false, message, replaced } });
    const ended = this.#idle.wait();
    // The server answers a call after the last event of its turn. A message waits for it, and gets no event of the turn before.
    this.#asking = this.#asking.then(() => this.#ask(message));
    await ended;
  }

  /** Ends the running turn, and with it an open confirmation. */
  async stop(): Promise<void> {
    const { turn } = this.#state;
    if (turn === null || turn.isStopping) return;
    this.#change({ ...this.#state, turn: { ...turn, isStopping: true } });
    if (!turn.isSent || this.#connectionId === null) this.#change(endTurn(this.#state, 'stopped'));
    // A turn whose connection is being restored is stopped once the connection is back.
    else if (this.#hub.isConnected) await this.#cancel();
  }

  /** Answers a confirmation. The question's box then shows the outcome. After a failed request the user can answer again. */
  async answer(actionId: string, approved: boolean, options: ApprovalOptions = {}): Promise<void> {
    await answerConfirmation(this.#view, { actionId, approved, ...options });
  }

  /** Empties the transcript. The server stops a running turn first. */
  async newConversation(): Promise<void> {
    const { connection } = this.#state;
    this.#change({ ...this.#emptied(), connection });
    this.#idle.release();
    if (this.#keeper.asking !== null) await this.#keeper.asking;
    if (this.#connectionId !== null) await this.#hub.invoke('NewConversation').catch(() => undefined);
  }

  /** Ends this conversation and continues a kept one in its place. Rejects when the server does not open the kept conversation. */
  async open(id: string): Promise<void> {
    await this.newConversation();
    const opened = await this.#hub.invoke('OpenConversation', id);
    this.#change(saidBefore(this.#state, (opened as OpenConversationResult).messages), null, false); // contract/hub.md
  }

  /** Checks whether the page has another user now. Another user begins with an empty conversation. */
  async checkUser(): Promise<void> {
    await this.#hub.checkUser();
    if (this.#keeper.pending !== null) void this.#putBack();
  }

  /** The server knows now what the user thinks of the reply of a turn. */
  rated(turnId: string, feedback: ShownFeedback | undefined): void {
    const rated = mapEntries(this.#state, 'user', (entry) =>
      entry.turnId === turnId ? { ...entry, feedback } : entry,
    );
    this.#change(rated, null, false);
    this.#keeper.sealAgain(this.#connectionId);
  }

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
      const result = await this.#hub.invoke('SendMessage', message.text, sendOptions(message, this.#options));
      this.#settle(message, result as SendMessageResult); // contract/hub.md
    } catch {
      // A lost connection rejects the call while its turn lives on. `Resume` then decides how the turn continues.
      if (this.#hub.isConnected && this.#state.turn?.turnId === null) this.#fail(message, { type: 'failed' });
    }
  }

  /** The events have told everything already, unless one was lost. A message that the server refused returns to the composer. */
  #settle(message: UserMessage, result: SendMessageResult): void {
    if (this.#isAbout(message)) this.#change(endTurn(this.#state, 'none'));
    if (isReturned(result, message)) this.#options.listener.onReturned(message);
  }

  /** Whether the running turn belongs to the message: the turn was not stopped, and no new conversation has removed it. */
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
    if (event.name === 'TurnStarted' && next.turn?.isStopping === true) void this.#cancel();
    if (event.name === 'TurnCompleted') this.#keeper.turnEnded(event.fields, this.#connectionId);
    // The page before has opened the address already.
    if (event.name === 'NavigationRequested' && !isNews) this.markNavigationHandled(event.fields.url);
  }

  #connected(fields: ConnectionHubEvents['Connected'], subject: string): void {
    this.#connectionId = fields.connectionId;
    this.#change(connectedState(this.#state, fields.settings, this.#options.settings));
    this.#keeper.connected(fields.connectionId, userOf(fields.user, subject));
    if (this.#wasClosed) this.#resuming = this.#resume();
    this.#wasClosed = false;
    this.#options.listener.onConnected?.(fields);
  }

  async #putBack(): Promise<void> {
    const { settled } = this.#keeper;
    this.#hub.connect().then(
      () => this.#keeper.connected(this.#connectionId),
      (error: unknown) => {
        this.#change({ ...this.#state, connection: lostBy(error) });
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

  /** If the line was down when the user stopped the turn, the server is told of the stop now. */
  #restored(): void {
    this.#change({ ...this.#state, connection: 'connected' });
    if (this.#state.turn?.isStopping === true) void this.#cancel();
  }

  async #cancel(): Promise<void> {
    if (this.#connectionId === null) return;
    await this.#options.control.cancel(this.#connectionId).catch(() => this.#change(stopFailed(this.#state)));
  }

  #closed(refused: 'signed-out' | null): void {
    this.#connectionId = null;
    this.#wasClosed = true;
    this.#keeper.gaveUp();
    this.#change(closed(this.#state, refused));
  }

  /** The next user must not see what was said before (contract/widget.md#who-is-signed-in). */
  #changeUser(): void {
    this.onOtherUser?.();
    const { connection, entries, turn } = this.#state;
    // The waiting conversation may belong to the new user. This is known once the server has named the user.
    const { pending } = this.#keeper;
    // What the former user was told of is none of the new user's business.
    const emptied = { ...this.#emptied(), status: {} };
    if (pending !== null) this.#keeper.begin(pending);
    this.#connectionId = null;
    if (turn !== null && connection === 'connecting') {
      // A message that waits for this very connection comes from the new user, so it stays.
      this.#change({ ...emptied, connection, turn, entries: entries.slice(-1) });
      return;
    }
    this.#options.listener.onOtherUser();
    this.#change(emptied);
    this.#idle.release();
  }

  #emptied(): ConversationState {
    this.aside.end();
    this.#keeper.forget();
    this.waiting.clear();
    return emptied(this.#state);
  }

  #change(state: ConversationState, event: TurnHubEvent | null = null, isNews = true): void {
    const hasEnded = this.#state.turn !== null && state.turn === null;
    this.#state = state;
    if (state.isAside) this.waiting.clear();
    this.#options.listener.onChange(state, event, isNews);
    if (hasEnded) this.#idle.release();
  }
}
