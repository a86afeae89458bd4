import type { ListedConversation } from '../../wire/conversation-bodies.ts';
import { iconButton, nameButton } from '../nodes/icon-button.ts';
import { ConversationRow } from './conversation-row.ts';
import type { ListOptions } from './list-contract.ts';
import { createListRequests, type ListRequests, SignedOut } from './list-requests.ts';
import { type ListTexts, listTexts } from './list-texts.ts';
import { create, textButton } from './make-node.ts';

const closePath = 'M6 6l12 12M18 6L6 18';

/** What whoever opened the list is told. */
export interface ListEnds {
  readonly closed: () => void;
  readonly signedOut: () => void;
}

/** The user's kept conversations, over the chat: each can be opened, renamed and deleted (contract/widget.md#earlier-conversations). */
export class ConversationList {
  readonly #options: ListOptions;
  readonly #ends: ListEnds;
  readonly #requests: ListRequests;
  readonly #texts: ListTexts;
  readonly #element = create('section', 'kept');
  readonly #rows = create('ul', 'kept-rows');
  readonly #status = create('p', 'kept-status');
  readonly #more: HTMLButtonElement;
  readonly #heading = create('h3', 'kept-heading');
  #next: string | undefined;

  constructor(options: ListOptions, ends: ListEnds) {
    this.#options = options;
    this.#ends = ends;
    this.#requests = createListRequests(options);
    this.#texts = listTexts(options.texts().locale);
    const { list, back, more } = this.#texts;
    this.#heading.textContent = list;
    this.#heading.id = 'kept-heading';
    this.#heading.tabIndex = -1;
    const close = iconButton('close', closePath, () => this.close());
    nameButton(close, back);
    const top = create('div', 'kept-top');
    top.append(this.#heading, close);
    this.#status.setAttribute('role', 'status');
    this.#more = textButton(more, 'button', () => void this.#load());
    this.#more.hidden = true;
    this.#element.setAttribute('role', 'dialog');
    this.#element.setAttribute('aria-labelledby', this.#heading.id);
    this.#element.append(top, this.#rows, this.#status, this.#more);
    this.#element.addEventListener('keydown', this.#press);
  }

  open(): void {
    this.#behind(true);
    this.#options.content.after(this.#element);
    this.#heading.focus();
    void this.#load();
  }

  close(): void {
    this.#element.remove();
    this.#behind(false);
    this.#ends.closed();
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'F6') return;
    // The panel stays open.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape' && !event.isComposing) this.close();
  };

  /** The chat behind the list can be neither reached nor read while the list is open. */
  #behind(isInert: boolean): void {
    this.#options.content.inert = isInert;
  }

  async #load(): Promise<void> {
    this.#tell(this.#texts.loading);
    this.#more.hidden = true;
    await this.#try(async () => {
      const { conversations, next } = await this.#requests.page(this.#next);
      this.#next = next;
      this.#rows.append(...conversations.map((conversation) => this.#row(conversation)));
      this.#tell(this.#rows.childElementCount === 0 ? this.#texts.empty : '');
    });
    this.#more.hidden = this.#next === undefined;
  }

  #row(conversation: ListedConversation): HTMLElement {
    const { element } = new ConversationRow(conversation, {
      texts: this.#texts,
      timeLocale: this.#options.texts().timeLocale,
      open: () => void this.#open(conversation.id),
      rename: (title) => this.#try(() => this.#requests.rename(conversation.id, title)),
      remove: () => this.#try(() => this.#requests.remove(conversation.id)),
      removed: () => this.#removed(),
    });
    return element;
  }

  async #open(id: string): Promise<void> {
    const { conversation, focusComposer, announcer } = this.#options;
    if (!(await this.#try(() => conversation.open(id)))) return;
    this.close();
    focusComposer();
    announcer.say(this.#texts.opened);
  }

  #removed(): void {
    this.#options.announcer.say(this.#texts.removed);
    if (this.#rows.childElementCount === 0) this.#tell(this.#texts.empty);
    (this.#rows.querySelector<HTMLElement>('.kept-open') ?? this.#heading).focus();
  }

  #tell(text: string): void {
    this.#status.textContent = text;
  }

  /** Resolves with whether the server has done it; otherwise the list says that it has not. */
  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#tell(this.#texts.failed);
      if (error instanceof SignedOut) {
        this.close();
        this.#ends.signedOut();
      }
      return false;
    }
  }
}
