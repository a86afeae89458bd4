import { iconButton, nameButton } from '../nodes/icon-button.ts';
import { askRemoval, askText } from './ask-in-place.ts';
import type { Fact } from './fact-requests.ts';
import type { FactTexts } from './fact-texts.ts';
import { type ListTexts, withTitle } from './list-texts.ts';
import { create, editPath, removePath, textButton, timeNode } from './make-node.ts';

/** The largest number of characters of a fact (contract/memory.md#facts). */
const maxFactLength = 300;
/** The largest number of characters of a fact in the name of a button. */
const maxNameLength = 60;

interface RowOptions {
  readonly texts: ListTexts & FactTexts;
  readonly timeLocale: string;
  /** Opens the conversation in which the user said the fact. Undefined when that conversation is not kept. */
  readonly open: (() => void) | undefined;
  /** Resolves with true when the server has corrected the fact. */
  readonly correct: (text: string) => Promise<boolean>;
  readonly erase: () => Promise<boolean>;
  readonly erased: () => void;
}

/** One fact of the list: its text, the time at which the user said it, and the buttons that correct and erase it. */
export class FactRow {
  readonly element = create('li', 'kept-row');
  readonly #options: RowOptions;
  readonly #origin: HTMLElement;
  #text: string;

  constructor({ text, at }: Fact, options: RowOptions) {
    this.#options = options;
    this.#text = text;
    this.#origin = origin(at, options);
    this.#show();
  }

  get #name(): string {
    const characters = Array.from(this.#text);
    return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join('')}…` : this.#text;
  }

  #show(focused?: 'correct' | 'erase'): void {
    const { texts } = this.#options;
    const text = create('p', 'kept-text');
    text.dir = 'auto';
    text.textContent = this.#text;
    const said = create('div', 'kept-fact');
    said.append(text, this.#origin);
    const correct = iconButton('rename', editPath, () => this.#askText());
    nameButton(correct, withTitle(texts.correct, this.#name));
    const erase = iconButton('remove', removePath, () => this.#askErasure());
    nameButton(erase, withTitle(texts.remove, this.#name));
    this.element.replaceChildren(said, correct, erase);
    if (focused !== undefined) (focused === 'correct' ? correct : erase).focus();
  }

  #askText(): void {
    const { texts, correct } = this.#options;
    const field = create('textarea', '');
    field.rows = 3;
    field.value = this.#text;
    // A fact has no line breaks, so Enter saves it.
    field.onkeydown = (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      field.form?.requestSubmit();
    };
    askText(this.element, {
      texts,
      field,
      name: texts.text,
      maxLength: maxFactLength,
      takeBack: () => this.#show('correct'),
      save: (given) => {
        const text = given.replace(/\s+/g, ' ');
        void correct(text).then((isDone) => {
          if (!isDone) return;
          this.#text = text;
          this.#show('correct');
        });
      },
    });
  }

  #askErasure(): void {
    const { texts, erase, erased } = this.#options;
    askRemoval(this.element, {
      texts,
      question: withTitle(texts.sure, this.#name),
      takeBack: () => this.#show('erase'),
      remove: () => {
        void erase().then((isDone) => {
          if (!isDone) return;
          this.element.remove();
          erased();
        });
      },
    });
  }
}

/** The time at which the user said the fact. If its conversation can be opened, the time is a button that opens it. */
function origin(at: string, { texts, timeLocale, open }: RowOptions): HTMLElement {
  const [before = '', after = ''] = (open === undefined ? texts.said : texts.from).split('{time}');
  const line = open === undefined ? create('span', 'kept-time') : textButton('', 'kept-time kept-from', open);
  line.append(before, timeNode(at, timeLocale), after);
  return line;
}
