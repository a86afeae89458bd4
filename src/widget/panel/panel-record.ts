import type { Conversation } from '../conversation/conversation.ts';
import { followPageLife } from '../tab/page-life.ts';
import { ownRecord } from '../tab/tab-owner.ts';
import { type TabRecord, TabStorage } from '../tab/tab-storage.ts';
import type { PanelView } from './panel-view.tsx';

interface PanelRecordOptions {
  readonly scriptUrl: string;
  readonly conversation: Conversation;
  readonly view: () => PanelView | null;
  readonly isOpen: () => boolean;
  /** Opens the panel without taking the focus from the page. */
  readonly reopen: () => void;
}

/** What one page of a tab leaves for the next: the panel as it stands, what is being written, and the conversation. */
export class PanelRecord {
  readonly #options: PanelRecordOptions;
  readonly #storage: TabStorage;
  readonly #endPageLife: () => void;
  #id: string | null = null;
  /** Of the page before, until it is known whose it is. */
  #draft = '';
  /** Until it is known whether this page may go on with it. */
  #awaited: TabRecord | null = null;

  constructor(options: PanelRecordOptions) {
    this.#options = options;
    this.#storage = new TabStorage(options.scriptUrl);
    this.#endPageLife = followPageLife({
      storage: this.#storage,
      record: () => this.#now(),
      onReturn: (record) => void this.#goOn(record),
    });
  }

  /** Goes on with what the page before has left. The panel of a page that is nothing else is always open. */
  takeUp(isPage: boolean): void {
    const record = this.#storage.take();
    if (record !== null) void this.#goOn(record);
    if (isPage && !this.#options.isOpen()) this.#options.reopen();
  }

  /** It is the same user who wrote it. */
  giveDraft(): void {
    this.#options.view()?.giveBack(this.#draft);
    this.#draft = '';
  }

  /** The user leaves. */
  clear(): void {
    this.#storage.clear();
    this.#awaited = null;
    this.#draft = '';
    this.#options.view()?.clearDraft();
  }

  /** The page takes the widget away. */
  end(): void {
    this.#endPageLife();
  }

  #now(): TabRecord {
    if (this.#awaited !== null) return this.#awaited;
    const { conversation, view, isOpen } = this.#options;
    const { turn } = conversation.state;
    // What the server has not begun with is the user's to send again.
    const unsent = turn?.turnId === null ? turn.message.text : '';
    // What another user has written is not kept for the next.
    const waiting = conversation.kept.pending !== null ? this.#draft : '';
    const draft = [unsent, ...Array.from(conversation.waiting, ({ text }) => text), view()?.draft ?? '', waiting]
      .filter((text) => text !== '')
      .join('\n');
    if (this.#id === null) {
      this.#id = randomId();
      // A page that is only hidden lives on, and a copy of its tab must not go on in its place.
      void ownRecord(this.#id);
    }
    return { id: this.#id, isOpen: isOpen(), draft, conversation: conversation.kept.saved };
  }

  async #goOn(record: TabRecord): Promise<void> {
    const { isOpen, draft, conversation } = record;
    if (isOpen && !this.#options.isOpen()) this.#options.reopen();
    this.#awaited = record;
    const isSame = record.id === this.#id;
    const isOwn = isSame || (await ownRecord(record.id));
    // Else the user has left meanwhile.
    const isAwaited = this.#awaited === record;
    this.#awaited = null;
    // Whoever has begun to talk goes on with that.
    const isFree = isSame || this.#options.conversation.state.entries.length === 0;
    if (!isOwn || !isAwaited || !isFree) return;
    this.#id = record.id;
    this.#draft = draft;
    if (conversation === null) this.giveDraft();
    else this.#options.conversation.restore(conversation);
  }
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('');
}
