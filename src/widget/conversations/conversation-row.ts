import type { ListedConversation } from '../../wire/conversation-bodies.ts';
import { iconButton, nameButton } from '../nodes/icon-button.ts';
import { type ListTexts, withTitle } from './list-texts.ts';
import { create, textButton } from './make-node.ts';

const renamePath = 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4';
const removePath = 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5';

/** Most characters of a title (contract/sessions.md#kept-conversations). */
const maxTitleLength = 120;

interface RowOptions {
  readonly texts: ListTexts;
  readonly timeLocale: string;
  readonly open: () => void;
  /** Resolves with whether the server has done it. */
  readonly rename: (title: string) => Promise<boolean>;
  readonly remove: () => Promise<boolean>;
  readonly removed: () => void;
}

/** One conversation: its title and when it was, and the buttons that open, rename and delete it. */
export class ConversationRow {
  readonly element = create('li', 'kept-row');
  readonly #options: RowOptions;
  readonly #time = create('time', 'kept-time');
  #title: string;

  constructor({ title, lastAt }: ListedConversation, options: RowOptions) {
    this.#options = options;
    this.#title = title;
    this.#time.dateTime = lastAt;
    const format = new Intl.DateTimeFormat(options.timeLocale, { dateStyle: 'medium', timeStyle: 'short' });
    this.#time.textContent = format.format(new Date(lastAt));
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
    const rename = iconButton('rename', renamePath, () => this.#askTitle());
    nameButton(rename, withTitle(texts.rename, this.#name));
    const remove = iconButton('remove', removePath, () => this.#askRemoval());
    nameButton(remove, withTitle(texts.remove, this.#name));
    this.element.replaceChildren(opens, rename, remove);
    if (focused !== undefined) (focused === 'rename' ? rename : remove).focus();
  }

  #askTitle(): void {
    const { texts, rename } = this.#options;
    const form = create('form', 'kept-form');
    const input = create('input', '');
    input.value = this.#title;
    input.maxLength = maxTitleLength;
    input.required = true;
    input.dir = 'auto';
    input.setAttribute('aria-label', texts.title);
    const save = textButton(texts.save, 'button primary', () => undefined);
    save.type = 'submit';
    form.append(
      input,
      save,
      textButton(texts.cancel, 'button', () => this.#show('rename')),
    );
    form.onsubmit = (event) => {
      event.preventDefault();
      const title = input.value.trim();
      if (title === '') return;
      void rename(title).then((isDone) => {
        if (!isDone) return;
        this.#title = title;
        this.#show('rename');
      });
    };
    this.#ask(form, () => this.#show('rename'));
    input.select();
    input.focus();
  }

  #askRemoval(): void {
    const { texts, remove, removed } = this.#options;
    const box = create('div', 'kept-form');
    box.setAttribute('role', 'group');
    const question = create('p', 'kept-question');
    question.dir = 'auto';
    question.textContent = withTitle(texts.sure, this.#name);
    box.setAttribute('aria-label', question.textContent);
    const keep = textButton(texts.no, 'button', () => this.#show('remove'));
    const goes = textButton(texts.yes, 'button danger', () => {
      void remove().then((isDone) => {
        if (!isDone) return;
        this.element.remove();
        removed();
      });
    });
    box.append(question, keep, goes);
    this.#ask(box, () => this.#show('remove'));
    keep.focus();
  }

  /** Shows a question in place of the row. Escape takes it back, and leaves the list open. */
  #ask(question: HTMLElement, takeBack: () => void): void {
    question.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      takeBack();
    });
    this.element.replaceChildren(question);
  }
}
