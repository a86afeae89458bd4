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

/** What one page of a tab leaves for the next: the state of the panel, the draft, and the conversation. */
export class PanelRecord {
  readonly #options: PanelRecordOptions;
  readonly #storage: TabStorage;
  readonly #endPageLife: () => void;
  #id: string | null = null;
  /** The draft of the page before, until its user is known. */
  #draft = '';
  /** The record of the page before, until it is known whether this page may continue it. */
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

  /** Continues what the page before has left. With `isPage` the panel fills the page and is always open. */
  takeUp(isPage: boolean): void {
    const record = this.#storage.take();
    if (record !== null) void this.#goOn(record);
    if (isPage && !this.#options.isOpen()) this.#options.reopen();
  }

  /** Shows the draft, because the same user wrote it. */
  giveDraft(): void {
    this.#options.view()?.giveBack(this.#draft);
    this.#draft = '';
  }

  /** Deletes the record, because the user signs out. */
  clear(): void {
    this.#storage.clear();
    this.#awaited = null;
    this.#draft = '';
    this.#options.view()?.clearDraft();
  }

  /** Ends the record, because the page removes the widget. */
  end(): void {
    this.#endPageLife();
  }

  #now(): TabRecord {
    if (this.#awaited !== null) return this.#awaited;
    const { conversation, view, isOpen } = this.#options;
    const { turn } = conversation.state;
    // A message whose turn the server has not begun becomes part of the draft. The user has to send it again.
    const unsent = turn?.turnId === null ? turn.message.text : '';
    // A draft of another user is not kept for the next page.
    const waiting = conversation.kept.pending !== null ? this.#draft : '';
    const draft = [unsent, ...Array.from(conversation.waiting, ({ text }) => text), view()?.draft ?? '', waiting]
      .filter((text) => text !== '')
      .join('\n');
    if (this.#id === null) {
      this.#id = randomId();
      // A page that is only hidden lives on. A copy of its tab must not continue in its place.
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
    // The user may have signed out while this page waited for `ownRecord`. The record must then not be used.
    const isAwaited = this.#awaited === record;
    this.#awaited = null;
    // A user who has begun to talk continues that conversation.
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
