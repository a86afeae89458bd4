import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { ResumeResult, SendMessageResult } from '../../wire/hub-methods.ts';
import { type HubLink, HubRefusal } from '../transport/hub-port.ts';
import { applyEvent, type TurnHubEvent } from './apply-event.ts';
import { answerFailed, answerSent, answerTaken, isAnswerable } from './confirmation-answer.ts';
import type { ConversationOptions } from './conversation-options.ts';
import {
  type ApprovalOptions,
  append,
  type ConversationState,
  emptyConversation,
  mapEntries,
  type Notice,
  type UserMessage,
} from './conversation-state.ts';
import { endTurn } from './end-turn.ts';
import { WaitingList } from './waiting-list.ts';

const timeToUndoMs = 10_000;

/** One conversation of one page: what the user does goes in, states of the transcript come out. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #hub: HubLink;
  #state: ConversationState;
  #connectionId: string | null = null;
  /** The turn that ended last and its last number: what the server knows this conversation by on a new connection. */
  #lastTurn: { readonly turnId: string; readonly afterSeq: number } | null = null;
  #hasOffered = false;
  /** How many users the page has had. */
  #users = 1;
  #asking: Promise<void> = Promise.resolve();
  /** Ends when the server knows which conversation goes on on a new connection. */
  #resuming: Promise<void> = Promise.resolve();
  /** Whoever waits for the running turn to end. */
  readonly #idle = new WaitingList();
  #sweeping: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#state = emptyConversation(options.isDemo);
    this.#hub = options.connect({
      onTurnEvent: (event) => this.#receive(event),
      onUiAction: (request) => options.actions.run(request),
      onConnected: (fields) => this.#connected(fields),
      onConnecting: () => this.#change({ ...this.#state, connection: 'connecting' }),
      onReconnecting: () => this.#change({ ...this.#state, connection: 'reconnecting' }),
      onReconnected: () => void (this.#resuming = this.#resume()),
      onRestored: () => this.#restored(),
      onClosed: (refused) => this.#closed(refused),
      onOtherUser: () => this.#changeUser(),
    });
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** Resolves when the turn has ended, however it ended. A second message waits for the first. */
  async send(message: UserMessage, shown: string = message.text): Promise<void> {
    // What was put aside is not wanted back by whoever begins anew.
    if (this.#state.isAside) void this.newConversation();
    const users = this.#users;
    while (this.#state.turn !== null) await this.#idle.wait();
    // Whoever wanted to say it has left the page.
    if (users !== this.#users) return;
    const asked = append(this.#state, { kind: 'user', text: shown });
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
    if (this.#connectionId === null || !this.#hub.isConnected) {
      // Nothing was sent yet; a turn whose connection is being restored is stopped when that is back.
      if (!turn.isSent || this.#connectionId === null) this.#change(endTurn(this.#state, 'stopped'));
      return;
    }
    await this.#cancel();
  }

  /** Answers a confirmation; the box keeps the outcome. A failed request can be repeated. */
  async answer(actionId: string, approved: boolean, options: ApprovalOptions = {}): Promise<void> {
    if (!isAnswerable(this.#state, actionId)) return;
    const answering = approved ? 'approved' : 'declined';
    this.#change(answerSent(this.#state, actionId, { answering, edited: options.arguments ?? null }));
    try {
      const outcome = await this.#options.control.approve({ actionId, approved, ...options });
      this.#change(answerTaken(this.#state, actionId, outcome));
    } catch (error) {
      this.#change(answerFailed(this.#state, actionId, error));
    }
  }

  /** Takes the conversation out of sight; it is emptied ten seconds later, or with the next message. */
  putAside(): void {
    if (this.#state.entries.length === 0 || this.#state.isAside) return;
    this.#change({ ...this.#state, isAside: true });
    this.#sweeping = setTimeout(() => void this.newConversation(), timeToUndoMs);
  }

  /** Shows again what was put aside, with all that has happened in it since. */
  bringBack(): void {
    clearTimeout(this.#sweeping);
    this.#change({ ...this.#state, isAside: false });
  }

  /** Empties the transcript; on the server a running turn is stopped first. */
  async newConversation(): Promise<void> {
    const { connection } = this.#state;
    this.#change({ ...this.#emptied(), connection });
    this.#idle.release();
    // A connection whose line is being restored takes the call, too.
    if (this.#connectionId !== null) await this.#hub.invoke('NewConversation').catch(() => undefined);
  }

  /** The page may have another user from now on, who begins with an empty conversation. */
  async checkUser(): Promise<void> {
    await this.#hub.checkUser();
  }

  /** Remembers that the page took over a navigation. */
  markNavigationHandled(url: string): void {
    this.#change(
      mapEntries(this.#state, 'navigation', (entry) => (entry.url === url ? { ...entry, isHandled: true } : entry)),
    );
  }

  async close(): Promise<void> {
    clearTimeout(this.#sweeping);
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
    const { turn } = this.#state;
    if (turn?.message !== message) return;
    this.#change({ ...this.#state, turn: { ...turn, isSent: true } });
    this.#offer();
    const page = this.#options.page();
    const { text, cardSubmit } = message;
    const options = { ...(page === undefined ? {} : { page }), ...(cardSubmit === undefined ? {} : { cardSubmit }) };
    try {
      const result = await this.#hub.invoke('SendMessage', text, options);
      this.#settle(message, result as SendMessageResult); // wire.md 3
    } catch {
      // A lost connection rejects the call while its turn lives on: then `Resume` decides, not this.
      if (this.#hub.isConnected && this.#state.turn?.turnId === null) this.#fail(message, { type: 'failed' });
    }
  }

  /** What the page can do now counts for the turns that begin after it. */
  #offer(): void {
    const { page, actions, listener } = this.#options;
    const { offered } = actions;
    // A page that never had anything to offer need not say so.
    if (offered.length === 0 && !this.#hasOffered) return;
    this.#hasOffered = true;
    this.#hub.invoke('SetPage', { name: '', ...page(), actions: offered }).catch((error: unknown) => {
      if (this.#hub.isConnected) listener.onOfferRefused(String(error));
    });
  }

  /** The events have told everything already, unless one was lost; what the server refused goes back to the composer. */
  #settle(message: UserMessage, result: SendMessageResult): void {
    if (this.#isAbout(message)) this.#change(endTurn(this.#state, 'none'));
    const isReturned =
      result.status === 'refused' && result.code !== 'out_of_scope' && message.cardSubmit === undefined;
    if (isReturned) this.#options.listener.onReturned(message.text);
  }

  /** The running turn is the message's: it was neither stopped nor swept away by a new conversation. */
  #isAbout(message: UserMessage): boolean {
    return this.#state.turn?.message === message;
  }

  #fail(message: UserMessage, notice: Notice): void {
    if (!this.#isAbout(message)) return;
    const connection = notice.type === 'failed' ? this.#state.connection : 'lost';
    const retry = notice.type === 'forbidden' ? null : message;
    const ended = endTurn({ ...this.#state, connection }, 'none');
    this.#change(append(ended, { kind: 'notice', notice, retry }));
  }

  #receive(event: TurnHubEvent): void {
    const next = applyEvent(this.#state, event);
    if (next === this.#state) return;
    if (event.name === 'TurnCompleted') this.#lastTurn = { turnId: event.fields.turnId, afterSeq: event.fields.seq };
    this.#change(next, event);
  }

  #connected({ connectionId, settings }: ConnectionHubEvents['Connected']): void {
    this.#connectionId = connectionId;
    const { maxMessageLength, demo } = settings;
    this.#change({ ...this.#state, connection: 'connected', maxMessageLength, isDemo: demo });
  }

  async #resume(): Promise<void> {
    const { turn } = this.#state;
    this.#offer();
    if (turn?.isSent !== true) {
      // Nothing is missing; the server only has to learn which conversation goes on here. Too late is not a fault.
      if (this.#lastTurn !== null) await this.#hub.invoke('Resume', this.#lastTurn).catch(() => undefined);
      return;
    }
    // A message that was on its way when the connection broke may or may not have arrived; the user decides.
    if (turn.turnId === null) {
      this.#change(endTurn(this.#state, 'interrupted'));
      return;
    }
    // wire.md 3. Undefined: the connection broke again, and the next one asks again.
    const resumed = (await this.#hub
      .invoke('Resume', { turnId: turn.turnId, afterSeq: turn.lastSeq })
      .catch(() => (this.#hub.isConnected ? null : undefined))) as ResumeResult | null | undefined;
    const now = this.#state.turn;
    if (resumed === undefined || now?.turnId !== turn.turnId) return;
    if (resumed === null) this.#change(endTurn(this.#state, 'interrupted'));
    else if (now.isStopping) await this.#cancel();
  }

  /** The turn that is to stop could not be told while there was no line. */
  #restored(): void {
    this.#change({ ...this.#state, connection: 'connected' });
    if (this.#state.turn?.isStopping === true) void this.#cancel();
  }

  async #cancel(): Promise<void> {
    if (this.#connectionId !== null) {
      await this.#options.control.cancel(this.#connectionId).catch(() => this.#stopFailed());
    }
  }

  #closed(refused: 'signed-out' | null): void {
    this.#connectionId = null;
    const closed = endTurn({ ...this.#state, connection: 'lost' }, 'interrupted');
    this.#change(
      refused === null ? closed : append(closed, { kind: 'notice', notice: { type: refused }, retry: null }),
    );
  }

  /** What was said before is none of the next user's business (wire.md 9). */
  #changeUser(): void {
    const { connection, entries, turn } = this.#state;
    const emptied = this.#emptied();
    this.#connectionId = null;
    this.#users += 1;
    if (turn !== null && connection === 'connecting') {
      // What waits for this very connection was asked by whoever is there now.
      this.#change({ ...emptied, connection, turn, entries: entries.slice(-1) });
      return;
    }
    this.#change(emptied);
    this.#idle.release();
  }

  #emptied(): ConversationState {
    const { maxMessageLength, isDemo, nextId } = this.#state;
    clearTimeout(this.#sweeping);
    this.#lastTurn = null;
    return { ...emptyConversation(isDemo), maxMessageLength, nextId };
  }

  #stopFailed(): void {
    const { turn } = this.#state;
    if (turn === null) return;
    const running = { ...this.#state, turn: { ...turn, isStopping: false } };
    this.#change(append(running, { kind: 'notice', notice: { type: 'stop-failed' }, retry: null }));
  }

  #change(state: ConversationState, event: TurnHubEvent | null = null): void {
    const hasEnded = this.#state.turn !== null && state.turn === null;
    this.#state = state;
    this.#options.listener.onChange(state, event);
    if (hasEnded) this.#idle.release();
  }
}
