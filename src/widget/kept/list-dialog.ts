import { iconButton, nameButton } from '../nodes/icon-button.ts';
import { SignedOut } from './ask-server.ts';
import type { ListOptions } from './kept-contract.ts';
import { create } from './make-node.ts';

const backPath = 'm14 6-6 6 6 6';

/** Callbacks for the code that opened a list. */
export interface ListEnds {
  readonly closed: () => void;
  readonly signedOut: () => void;
}

interface DialogTexts {
  readonly list: string;
  readonly back: string;
  readonly failed: string;
}

/** A list over the chat of what the server keeps of the user. It has a heading, rows and a line for its state. */
export class ListDialog {
  readonly rows = create('ul', 'kept-rows');
  readonly heading = create('h2', 'kept-heading');
  readonly #options: Pick<ListOptions, 'content'>;
  readonly #texts: DialogTexts;
  readonly #ends: ListEnds;
  readonly #element = create('section', 'kept');
  readonly #status = create('p', 'kept-status');

  constructor(options: Pick<ListOptions, 'content'>, texts: DialogTexts, ends: ListEnds) {
    this.#options = options;
    this.#texts = texts;
    this.#ends = ends;
    this.heading.textContent = texts.list;
    this.heading.id = 'kept-heading';
    this.heading.tabIndex = -1;
    const back = iconButton('back', backPath, () => this.close());
    nameButton(back, texts.back);
    const top = create('div', 'kept-top');
    top.append(back, this.heading);
    this.#status.setAttribute('role', 'status');
    this.#element.setAttribute('role', 'dialog');
    this.#element.setAttribute('aria-labelledby', this.heading.id);
    this.#element.append(top, this.rows, this.#status);
    this.#element.addEventListener('keydown', this.#press);
  }

  /**
   * Opens the list with the element `below` after its rows. While the list is open, the user can neither reach nor read the chat behind it.
   */
  open(below: HTMLElement): void {
    const { content } = this.#options;
    this.#element.append(below);
    content.inert = true;
    content.after(this.#element);
    this.heading.focus();
  }

  /** Removes the list, makes the chat usable again, and calls `closed`. */
  close(): void {
    this.leave();
    this.#ends.closed();
  }

  /** Removes the list without calling `closed`. Used when another user uses the page. */
  leave(): void {
    this.#element.remove();
    this.#options.content.inert = false;
  }

  tell(text: string): void {
    this.#status.textContent = text;
  }

  /**
   * Runs `work`. Resolves with true when `work` succeeds. Otherwise the list shows the text of `faultOf`, or else its general text for a
   * failure.
   */
  async try(work: () => Promise<void>, faultOf?: (error: unknown) => string | undefined): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.tell(faultOf?.(error) ?? this.#texts.failed);
      if (error instanceof SignedOut) {
        this.close();
        this.#ends.signedOut();
      }
      return false;
    }
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'F6') return;
    // Without this, the key would also act on the panel.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape' && !event.isComposing) this.close();
  };
}
