import type { ResumeResult } from '../../wire/hub-methods.ts';
import type { RestoredSession } from '../../wire/session-bodies.ts';
import type { SessionRequests } from '../transport/session-requests.ts';
import type { TurnHubEvent } from './apply-event.ts';
import { append, type ConversationState } from './conversation-state.ts';
import { endTurn } from './end-turn.ts';
import { saidBefore, withoutLast } from './said-before.ts';
import { isSignedIn, type SavedConversation, type SavedTurn } from './saved-conversation.ts';

/** The connection, as far as keeping a conversation needs it. */
export interface KeeperLink {
  readonly sessions: SessionRequests;
  readonly state: () => ConversationState;
  readonly change: (state: ConversationState) => void;
  /** `Resume` (contract/hub.md#when-the-line-breaks): null when the server has no such turn, undefined when the connection broke. */
  readonly resume: (turnId: string, afterSeq: number) => Promise<ResumeResult | null | undefined>;
  /** Ends the turn that runs on the connection. */
  readonly stop: (connectionId: string) => Promise<void>;
  /** What waited is put back, as far as it can be had. */
  readonly onPutBack: () => void;
}

/** What is put back, and who waits for that. */
interface Pending {
  readonly saved: SavedConversation;
  readonly done: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  isAsked: boolean;
  /** Its user is not the connection's, who is nobody the server knows. */
  readonly waitsForUser: boolean;
}

/** `failed`: the server did not answer, and is asked again by the next connection. */
type Outcome = 'over' | 'failed';

/**
 * Keeps what the next page of the tab goes on with: after each turn the sealed conversation, and of the turn its id and how far
 * it was seen. On the next page it puts both back.
 */
export class ConversationKeeper {
  readonly #link: KeeperLink;
  #user = '';
  #snapshot: string | null = null;
  #snapshotTurn: string | null = null;
  #lastTurn: SavedTurn | null = null;
  /** The last page has told these events already. */
  #told: Pick<SavedTurn, 'turnId' | 'lastSeq'> | null = null;
  #pending: Pending | null = null;
  #asking: Promise<void> | null = null;

  constructor(link: KeeperLink) {
    this.#link = link;
  }

  /** What the next page needs now; null when there is nothing to go on with. */
  get saved(): SavedConversation | null {
    if (this.#pending !== null) return this.#pending.saved;
    const state = this.#link.state();
    // The user has begun anew, and does not want it back.
    if (state.isAside) return null;
    const turn = runningTurn(state) ?? this.#lastTurn;
    if (turn === null && this.#snapshot === null) return null;
    // What the sealed text holds stands nowhere else.
    const kept = turn !== null && turn.turnId === this.#snapshotTurn ? { ...turn, text: '' } : turn;
    return { user: this.#user, snapshot: this.#snapshot, snapshotTurn: this.#snapshotTurn, turn: kept };
  }

  /** The turn that ended last: by it the server knows the conversation on a new connection. */
  get lastTurn(): SavedTurn | null {
    return this.#lastTurn;
  }

  /** What waits to be put back. */
  get pending(): SavedConversation | null {
    return this.#pending?.saved ?? null;
  }

  /** Settles when what waits is put back, or cannot be now. */
  get settled(): Promise<Outcome> | undefined {
    return this.#pending?.done;
  }

  /** Puts a conversation back as soon as there is a connection. */
  begin(saved: SavedConversation, waitsForUser = false): void {
    let settle: Pending['settle'] = () => undefined;
    const done = new Promise<Outcome>((resolve) => (settle = resolve));
    this.#pending = { saved, done, settle, isAsked: false, waitsForUser };
  }

  /** There is no connection, and none is being made: it stays for the next. */
  gaveUp(): void {
    if (this.#pending === null) return;
    const { saved, settle, waitsForUser } = this.#pending;
    this.begin(saved, waitsForUser);
    settle('failed');
  }

  /**
   * Before a message goes out: what waits is put back, unless it is another user's, for whoever talks now begins anew. False when
   * the server did not answer: the message would begin a conversation of its own.
   */
  async finish(): Promise<boolean> {
    const pending = this.#pending;
    if (pending !== null && !pending.waitsForUser && (await pending.done) === 'failed') return false;
    this.#abandon();
    return true;
  }

  /** What is on its way to the server and will bring a conversation back there; null for nothing. */
  get asking(): Promise<void> | null {
    return this.#asking;
  }

  /** The server has lost the conversation, and gets it back, unseen. */
  async revive(connectionId: string | null): Promise<void> {
    if (connectionId === null || this.#snapshot === null) return;
    const restored = await this.#restore(connectionId, this.#snapshot).catch(() => null);
    this.#link.change({ ...this.#link.state(), ...conversationOf(restored) });
  }

  #abandon(): void {
    this.#pending?.settle('over');
    this.#pending = null;
  }

  /** Nothing of this conversation goes on: it is a new one, or another user's. */
  forget(): void {
    this.#abandon();
    this.#snapshot = this.#snapshotTurn = this.#lastTurn = this.#told = null;
  }

  /** A connection stands, whose server has named it and its user; null while it has not. */
  connected(connectionId: string | null, user = this.#user): void {
    this.#user = user;
    const pending = this.#pending;
    if (pending === null || connectionId === null || pending.isAsked) return;
    pending.isAsked = true;
    const asking = this.#putBack(pending, connectionId)
      .catch(() => {
        // The server did not answer: the next connection tries again.
        if (pending === this.#pending) this.gaveUp();
      })
      .finally(() => {
        if (this.#asking === asking) this.#asking = null;
      });
    this.#asking = asking;
  }

  /** False for an event that the page before has told already. */
  isNews({ turnId, seq }: TurnHubEvent['fields']): boolean {
    return this.#told?.turnId !== turnId || seq > this.#told.lastSeq;
  }

  /** A turn has ended: the conversation is sealed with it. */
  turnEnded(fields: TurnHubEvent['fields'], connectionId: string | null): void {
    const { turnId, seq } = fields;
    const turn: SavedTurn = { turnId, lastSeq: seq, isRunning: false, text: lastMessage(this.#link.state()) };
    this.#lastTurn = turn;
    if (connectionId === null || this.#snapshotTurn === turnId) return;
    this.#link.sessions.save(connectionId).then(
      (snapshot) => {
        if (this.#lastTurn !== turn) return;
        this.#snapshot = snapshot;
        this.#snapshotTurn = turnId;
      },
      // The one before stands, and `Resume` finds the turn for a while.
      () => undefined,
    );
  }

  async #putBack(pending: Pending, connectionId: string): Promise<void> {
    const { saved } = pending;
    if (saved.user !== this.#user) {
      // The page may say later who its user is.
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
      // It is another user's, too old, or of a server with other keys.
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

  /** A question that the user has stopped is put again by a snapshot (contract/sessions.md#snapshots): nobody has asked for that here. */
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
    const text = isSealed ? (messages.findLast(({ role }) => role === 'user')?.text ?? '') : turn.text;
    const before = saidBefore(state(), isSealed ? withoutLast(messages) : messages);
    this.#told = turn;
    // Its events bring the rest: what was said, done, shown and asked.
    const running = { ...turn, lastSeq: 0, isSent: true, isStopping: false, message: { text } };
    change({ ...append(before, { kind: 'user', text }), turn: running });
    // Without an answer it is asked again when the connection is back.
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
