import type { ResumeResult } from '../../wire/hub-methods.ts';
import type { RestoredSession } from '../../wire/session-bodies.ts';
import type { SessionRequests } from '../transport/session-requests.ts';
import type { TurnHubEvent } from './apply-event.ts';
import { append, type ConversationState } from './conversation-state.ts';
import { endTurn } from './end-turn.ts';
import { saidBefore, withoutLast } from './said-before.ts';
import { isSignedIn, type SavedConversation, type SavedTurn } from './saved-conversation.ts';

/** The parts of the connection that keeping a conversation needs. */
export interface KeeperLink {
  readonly sessions: SessionRequests;
  readonly state: () => ConversationState;
  readonly change: (state: ConversationState) => void;
  /**
   * Calls `Resume` (contract/hub.md#when-the-line-breaks). Resolves with null when the server has no such turn, and undefined when the
   * connection broke.
   */
  readonly resume: (turnId: string, afterSeq: number) => Promise<ResumeResult | null | undefined>;
  /** Ends the turn that runs on this connection. */
  readonly stop: (connectionId: string) => Promise<void>;
  /** The waiting conversation is restored, as far as it exists. */
  readonly onPutBack: () => void;
}

/** A conversation that waits to be restored. */
interface Pending {
  readonly saved: SavedConversation;
  readonly done: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  isAsked: boolean;
  /** The conversation belongs to a signed-in user, while the server does not know the user of the connection. */
  readonly waitsForUser: boolean;
}

/** `over`: the attempt has ended. `failed`: the server did not answer, and the next connection tries again. */
type Outcome = 'over' | 'failed';

/**
 * Keeps what the next page of the tab needs to continue the conversation: the sealed conversation after each turn, the turn's id, and the
 * last event that the page has shown. The next page restores the conversation and the turn from them.
 */
export class ConversationKeeper {
  readonly #link: KeeperLink;
  #user = '';
  #snapshot: string | null = null;
  #snapshotTurn: string | null = null;
  #lastTurn: SavedTurn | null = null;
  /** The last turn that the page before has shown, and the last event of that turn that it has shown. */
  #told: Pick<SavedTurn, 'turnId' | 'lastSeq'> | null = null;
  #pending: Pending | null = null;
  #asking: Promise<void> | null = null;

  constructor(link: KeeperLink) {
    this.#link = link;
  }

  /** What the next page needs to continue now. Null when there is nothing to continue. */
  get saved(): SavedConversation | null {
    if (this.#pending !== null) return this.#pending.saved;
    const state = this.#link.state();
    // The user has begun a new conversation, so the conversation that was put aside is not kept for the next page.
    if (state.isAside) return null;
    const turn = runningTurn(state) ?? this.#lastTurn;
    if (turn === null && this.#snapshot === null) return null;
    // The sealed text holds the message, so the message is not stored twice.
    const kept = turn !== null && turn.turnId === this.#snapshotTurn ? { ...turn, text: '' } : turn;
    return { user: this.#user, snapshot: this.#snapshot, snapshotTurn: this.#snapshotTurn, turn: kept };
  }

  /** The turn that ended last. The server finds the conversation by this turn on a new connection. */
  get lastTurn(): SavedTurn | null {
    return this.#lastTurn;
  }

  /** The conversation that waits to be restored. */
  get pending(): SavedConversation | null {
    return this.#pending?.saved ?? null;
  }

  /** Settles when the waiting conversation is restored, or cannot be restored now. */
  get settled(): Promise<Outcome> | undefined {
    return this.#pending?.done;
  }

  /** Restores a conversation as soon as there is a connection. */
  begin(saved: SavedConversation, waitsForUser = false): void {
    let settle: Pending['settle'] = () => undefined;
    const done = new Promise<Outcome>((resolve) => (settle = resolve));
    this.#pending = { saved, done, settle, isAsked: false, waitsForUser };
  }

  /** Call this when there is no connection and the widget has stopped trying. The conversation then waits for the next connection. */
  gaveUp(): void {
    if (this.#pending === null) return;
    const { saved, settle, waitsForUser } = this.#pending;
    this.begin(saved, waitsForUser);
    settle('failed');
  }

  /**
   * Runs before a message is sent. Waits until the waiting conversation is restored. If that conversation belongs to another user, this
   * user begins a new one. Resolves with false when the server did not answer, because a message sent now would begin a separate
   * conversation.
   */
  async finish(): Promise<boolean> {
    const pending = this.#pending;
    if (pending !== null && !pending.waitsForUser && (await pending.done) === 'failed') return false;
    this.#abandon();
    return true;
  }

  /** The request that restores a conversation on the server, while it runs. Null when none runs. */
  get asking(): Promise<void> | null {
    return this.#asking;
  }

  /** Restores the conversation on a server that has lost it. The transcript does not change. */
  async revive(connectionId: string | null): Promise<void> {
    if (connectionId === null || this.#snapshot === null) return;
    const restored = await this.#restore(connectionId, this.#snapshot).catch(() => null);
    this.#link.change({ ...this.#link.state(), ...conversationOf(restored) });
  }

  #abandon(): void {
    this.#pending?.settle('over');
    this.#pending = null;
  }

  /** Forgets the conversation: a new one begins, or another user is there. */
  forget(): void {
    this.#abandon();
    this.#snapshot = this.#snapshotTurn = this.#lastTurn = this.#told = null;
  }

  /** A connection is open. `connectionId` is null until the server has named the connection. */
  connected(connectionId: string | null, user = this.#user): void {
    this.#user = user;
    const pending = this.#pending;
    if (pending === null || connectionId === null || pending.isAsked) return;
    pending.isAsked = true;
    const asking = this.#putBack(pending, connectionId)
      .catch(() => {
        // The server did not answer, so the next connection tries again.
        if (pending === this.#pending) this.gaveUp();
      })
      .finally(() => {
        if (this.#asking === asking) this.#asking = null;
      });
    this.#asking = asking;
  }

  /** False for an event that the page before has shown already. */
  isNews({ turnId, seq }: TurnHubEvent['fields']): boolean {
    return this.#told?.turnId !== turnId || seq > this.#told.lastSeq;
  }

  /** A turn has ended. The server now seals the conversation including this turn. */
  turnEnded(fields: TurnHubEvent['fields'], connectionId: string | null): void {
    const { turnId, seq } = fields;
    const turn: SavedTurn = { turnId, lastSeq: seq, isRunning: false, text: lastMessage(this.#link.state()) };
    this.#lastTurn = turn;
    if (this.#snapshotTurn !== turnId) this.sealAgain(connectionId);
  }

  /** What is kept with the conversation has changed: the server seals it with the last turn. */
  sealAgain(connectionId: string | null): void {
    const turn = this.#lastTurn;
    if (connectionId === null || turn === null) return;
    this.#link.sessions.save(connectionId).then(
      (snapshot) => {
        if (this.#lastTurn !== turn) return;
        this.#snapshot = snapshot;
        this.#snapshotTurn = turn.turnId;
      },
      // After a failure the earlier sealed text stays. `Resume` still finds the turn for a while.
      () => undefined,
    );
  }

  async #putBack(pending: Pending, connectionId: string): Promise<void> {
    const { saved } = pending;
    if (saved.user !== this.#user) {
      // The page may name its user later.
      if (!isSignedIn(saved.user) || isSignedIn(this.#user)) this.forget();
      else {
        this.begin(saved, true);
        pending.settle('over');
      }
      return;
    }
    const restored = saved.snapshot === null ? null : await this.#restore(connectionId, saved.snapshot);
    if (this.#pending !== pending) return;
    if (restored === null && saved.snapshot !== null) {
      // The sealed conversation belongs to another user, is too old, or was sealed by a server with other keys.
      this.forget();
      return;
    }
    this.#pending = null;
    this.#snapshot = saved.snapshot;
    this.#snapshotTurn = saved.snapshotTurn;
    await this.#show(saved, restored);
    this.#link.onPutBack();
    pending.settle('over');
  }

  /**
   * Restoring a snapshot asks an open question of the conversation again (contract/sessions.md#snapshots), although the user has already
   * stopped it. The turn of that question is therefore stopped.
   */
  async #restore(connectionId: string, snapshot: string): Promise<RestoredSession | null> {
    const { sessions, stop } = this.#link;
    const restored = await sessions.restore(connectionId, snapshot);
    if (restored !== null && restored.openConfirmations.length > 0) await stop(connectionId).catch(() => undefined);
    return restored;
  }

  async #show({ snapshotTurn, turn }: SavedConversation, restored: RestoredSession | null): Promise<void> {
    const { change, state, resume } = this.#link;
    if (turn === null || state().turn !== null) {
      this.#showMessages(restored);
      return;
    }
    const { turnId } = turn;
    const messages = restored?.messages ?? [];
    const isSealed = snapshotTurn === turnId;
    const sealed = isSealed ? messages.findLast(({ role }) => role === 'user') : undefined;
    const text = isSealed ? (sealed?.text ?? '') : turn.text;
    const before = saidBefore(state(), isSealed ? withoutLast(messages) : messages);
    this.#told = turn;
    // The events of the turn bring its text, its actions and its questions.
    const running = { ...turn, lastSeq: 0, isSent: true, isStopping: false, message: { text } };
    change({ ...append(before, { kind: 'user', text, feedback: sealed?.feedback, isFinal: true }), turn: running });
    // If the server does not answer, the next connection asks again.
    if ((await resume(turnId, 0)) !== null || state().turn?.turnId !== turnId) return;
    if (turn.isRunning) {
      change({ ...endTurn(state(), 'interrupted'), ...conversationOf(restored) });
      return;
    }
    change({ ...state(), entries: [], turn: null });
    this.#showMessages(restored);
  }

  #showMessages(restored: RestoredSession | null): void {
    const { change, state } = this.#link;
    if (restored !== null) change({ ...saidBefore(state(), restored.messages), ...conversationOf(restored) });
  }
}

function conversationOf(restored: RestoredSession | null): Partial<ConversationState> {
  return restored === null ? {} : { conversationId: restored.conversationId };
}

function runningTurn(state: ConversationState): SavedTurn | null {
  const { turn } = state;
  if (turn === null || turn.turnId === null) return null;
  const { turnId, lastSeq, isStopping } = turn;
  return { turnId, lastSeq, isRunning: !isStopping, text: lastMessage(state) };
}

function lastMessage({ entries }: ConversationState): string {
  return entries.findLast((entry) => entry.kind === 'user')?.text ?? '';
}
