import type { ListedConversation } from '../../wire/conversation-bodies.ts';
import { iconButton, nameButton } from '../nodes/icon-button.ts';
import { askRemoval, askText } from './ask-in-place.ts';
import { type ListTexts, withTitle } from './list-texts.ts';
import { create, editPath, removePath, textButton, timeNode } from './make-node.ts';

/** The largest number of characters of a title (contract/sessions.md#kept-conversations). */
const maxTitleLength = 120;

interface RowOptions {
  readonly texts: ListTexts;
  readonly timeLocale: string;
  readonly open: () => void;
  /** Resolves with true when the server has renamed the conversation. */
  readonly rename: (title: string) => Promise<boolean>;
  readonly remove: () => Promise<boolean>;
  readonly removed: () => void;
}

/** One conversation of the list: its title, the time of its last message, and the buttons that open, rename and delete it. */
export class ConversationRow {
  readonly element = create('li', 'kept-row');
  readonly #options: RowOptions;
  readonly #time: HTMLElement;
  #title: string;

  constructor({ title, lastAt }: ListedConversation, options: RowOptions) {
    this.#options = options;
    this.#title = title;
    this.#time = timeNode(lastAt, options.timeLocale);
    this.#show();
  }

  get #name(): string {
    return this.#title === '' ? this.#options.texts.untitled : this.#title;
  }

  #show(focused?: 'rename' | 'remove'): void {
    const { texts, open } = this.#options;
    const name = create('span', 'kept-title');
    name.dir = 'auto';
    name.textContent = this.#name;
    const opens = textButton('', 'kept-open', open);
    opens.append(name, this.#time);
    const rename = iconButton('rename', editPath, () => this.#askTitle());
    nameButton(rename, withTitle(texts.rename, this.#name));
    const remove = iconButton('remove', removePath, () => this.#askRemoval());
    nameButton(remove, withTitle(texts.remove, this.#name));
    this.element.replaceChildren(opens, rename, remove);
    if (focused !== undefined) (focused === 'rename' ? rename : remove).focus();
  }

  #askTitle(): void {
    const { texts, rename } = this.#options;
    const field = create('input', '');
    field.value = this.#title;
    askText(this.element, {
      texts,
      field,
      name: texts.title,
      maxLength: maxTitleLength,
      takeBack: () => this.#show('rename'),
      save: (title) => {
        void rename(title).then((isDone) => {
          if (!isDone) return;
          this.#title = title;
          this.#show('rename');
        });
      },
    });
  }

  #askRemoval(): void {
    const { texts, remove, removed } = this.#options;
    askRemoval(this.element, {
      texts,
      question: withTitle(texts.sure, this.#name),
      takeBack: () => this.#show('remove'),
      remove: () => {
        void remove().then((isDone) => {
          if (!isDone) return;
          this.element.remove();
          removed();
        });
      },
    });
  }
}
