import type { ListedConversation } from '../../wire/conversation-bodies.ts';
import { ConversationRow } from './conversation-row.ts';
import type { ListOptions } from './kept-contract.ts';
import { ListDialog, type ListEnds } from './list-dialog.ts';
import { createListRequests, type ListRequests } from './list-requests.ts';
import { type ListTexts, listTexts } from './list-texts.ts';
import { textButton } from './make-node.ts';

/**
 * Shows the user's kept conversations over the chat. The user can open, rename and delete each of them
 * (contract/widget.md#earlier-conversations).
 */
export class ConversationList {
  readonly #options: ListOptions;
  readonly #dialog: ListDialog;
  readonly #requests: ListRequests;
  readonly #texts: ListTexts;
  readonly #more: HTMLButtonElement;
  #next: string | undefined;

  constructor(options: ListOptions, ends: ListEnds) {
    this.#options = options;
    this.#requests = createListRequests(options);
    this.#texts = listTexts(options.texts().locale);
    this.#dialog = new ListDialog(options, this.#texts, ends);
    this.#more = textButton(this.#texts.more, 'button', () => void this.#load());
    this.#more.hidden = true;
  }

  open(): void {
    this.#dialog.open(this.#more);
    void this.#load();
  }

  /** Closes the list because another user uses the page now. */
  leave(): void {
    this.#dialog.leave();
  }

  async #load(): Promise<void> {
    const { rows } = this.#dialog;
    this.#dialog.tell(this.#texts.loading);
    this.#more.hidden = true;
    await this.#dialog.try(async () => {
      const { conversations, next } = await this.#requests.page(this.#next);
      this.#next = next;
      rows.append(...conversations.map((conversation) => this.#row(conversation)));
      this.#dialog.tell(rows.childElementCount === 0 ? this.#texts.empty : '');
    });
    this.#more.hidden = this.#next === undefined;
  }

  #row(conversation: ListedConversation): HTMLElement {
    const { element } = new ConversationRow(conversation, {
      texts: this.#texts,
      timeLocale: this.#options.texts().timeLocale,
      open: () => void this.#open(conversation.id),
      rename: (title) => this.#dialog.try(() => this.#requests.rename(conversation.id, title)),
      remove: () => this.#dialog.try(() => this.#requests.remove(conversation.id)),
      removed: () => this.#removed(),
    });
    return element;
  }

  async #open(id: string): Promise<void> {
    const { conversation, focusComposer, announcer } = this.#options;
    if (!(await this.#dialog.try(() => conversation.open(id)))) return;
    this.#dialog.close();
    focusComposer();
    announcer.say(this.#texts.opened);
  }

  #removed(): void {
    const { rows, heading } = this.#dialog;
    this.#options.announcer.say(this.#texts.removed);
    if (rows.childElementCount === 0) this.#dialog.tell(this.#texts.empty);
    (rows.querySelector<HTMLElement>('.kept-open') ?? heading).focus();
  }
}
