import type { Conversation } from '../conversation/conversation.ts';
import { followPageLife } from '../tab/page-life.ts';
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
  /** Of the page before, until it is known whose it is. */
  #draft = '';

  constructor(options: PanelRecordOptions) {
    this.#options = options;
    this.#storage = new TabStorage(options.scriptUrl);
    this.#endPageLife = followPageLife({
      storage: this.#storage,
      record: () => this.#now(),
      onReturn: (record) => this.#goOn(record),
    });
  }

  /** Goes on with what the page before has left. The panel of a page that is nothing else is always open. */
  takeUp(isPage: boolean): void {
    const record = this.#storage.take();
    if (record !== null) this.#goOn(record);
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
    this.#draft = '';
    this.#options.view()?.clearDraft();
  }

  /** The page takes the widget away. */
  end(): void {
    this.#endPageLife();
  }

  #now(): TabRecord {
    const { conversation, view, isOpen } = this.#options;
    const { turn } = conversation.state;
    // What the server has not begun with is the user's to send again.
    const unsent = turn?.turnId === null ? turn.message.text : '';
    // What another user has written is not kept for the next.
    const waiting = conversation.kept.pending !== null ? this.#draft : '';
    const draft = [unsent, view()?.draft ?? '', waiting].filter((text) => text !== '').join('\n');
    return { isOpen: isOpen(), draft, conversation: conversation.kept.saved };
  }

  #goOn({ isOpen, draft, conversation }: TabRecord): void {
    if (isOpen) this.#options.reopen();
    this.#draft = draft;
    if (conversation === null) this.giveDraft();
    else this.#options.conversation.restore(conversation);
  }
}
