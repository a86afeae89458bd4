import { type VisiblePart, visibleParts, visibleValue } from '../conversation/visible-text.ts';
import { type Argument, type EditOptions } from './edit-contract.ts';
import { draftOf, type FieldValue, kindOf, readDraft } from './edited-value.ts';

const mostLines = 8;

/**
 * One argument with its label and input. Once the input differs, the original value stands below it. Invisible characters are spelled out
 * there too, because nobody may approve a character that is not shown.
 */
export class ArgumentField {
  readonly element = create('div', 'edit-field');
  readonly #argument: Argument;
  readonly #texts: EditOptions['texts'];
  readonly #input: HTMLInputElement | HTMLTextAreaElement;
  readonly #hidden = create('div', 'edit-note');
  readonly #before = create('div', 'edit-note');
  readonly #fault = create('p', 'edit-fault');

  constructor(argument: Argument, id: string, texts: EditOptions['texts']) {
    this.#argument = argument;
    this.#texts = texts;
    this.#input = createInput(argument.value);
    this.#input.id = id;
    const label = create('label', '');
    label.htmlFor = id;
    label.dir = 'auto';
    label.append(...visibleNodes(visibleParts(argument.label)));
    if (argument.notFromUser) {
      const mark = create('mark', 'escaped edit-origin');
      mark.textContent = texts.notFromUser;
      label.append(' ', mark);
    }
    this.#fault.id = `${id}-fault`;
    this.#fault.setAttribute('role', 'alert');
    for (const part of [this.#hidden, this.#before, this.#fault]) part.dir = 'auto';
    this.#before.append(texts.changedFrom, valueBox(visibleValue(argument.value)));
    this.element.append(label, this.#input, this.#fault, this.#hidden, this.#before);
    this.#input.addEventListener('input', () => this.#show());
    this.#show();
  }

  focus(): void {
    this.#input.focus();
  }

  read(): FieldValue {
    const { value } = this.#argument;
    if (this.#input.type === 'checkbox') {
      const { checked } = this.#input as HTMLInputElement; // only inputs are checkboxes
      return { value: checked, isChanged: checked !== value };
    }
    return readDraft(value, this.#input.value);
  }

  /** Shows why the input's content is no value. */
  complain(fault: keyof EditOptions['texts']): void {
    this.#fault.textContent = this.#texts[fault];
    this.#input.setAttribute('aria-invalid', 'true');
    this.#input.setAttribute('aria-describedby', this.#fault.id);
  }

  #show(): void {
    const read = this.read();
    const isChanged = 'fault' in read || read.isChanged;
    this.element.classList.toggle('is-changed', isChanged);
    this.#before.hidden = !isChanged;
    const parts = 'fault' in read ? [] : visibleValue(read.value);
    this.#hidden.hidden = !parts.some(({ text, isEscaped }) => isEscaped && text !== '\\n' && text !== '\\t');
    this.#hidden.replaceChildren(...(this.#hidden.hidden ? [] : [this.#texts.hiddenInside, valueBox(parts)]));
    this.#fault.textContent = '';
    this.#input.removeAttribute('aria-invalid');
    this.#input.removeAttribute('aria-describedby');
  }
}

function createInput(value: unknown): HTMLInputElement | HTMLTextAreaElement {
  const kind = kindOf(value);
  if (kind === 'text' || kind === 'json') {
    const area = create('textarea', kind === 'json' ? 'is-json' : '');
    area.value = draftOf(value);
    area.rows = Math.min(area.value.split('\n').length + Math.floor(area.value.length / 60), mostLines);
    area.dir = kind === 'text' ? 'auto' : 'ltr';
    return area;
  }
  const input = create('input', '');
  input.type = kind === 'number' ? 'number' : 'checkbox';
  input.step = 'any';
  if (kind === 'number') input.value = draftOf(value);
  else input.checked = value === true;
  return input;
}

/** A box that shows the whole value. A long value scrolls, also with the keyboard. */
function valueBox(parts: readonly VisiblePart[]): HTMLElement {
  const box = create('div', 'value edit-value');
  box.dir = 'auto';
  box.append(...visibleNodes(parts));
  const { length } = box.textContent;
  if (length > 200 || parts.length > mostLines) box.tabIndex = 0;
  return box;
}

function visibleNodes(parts: readonly VisiblePart[]): Node[] {
  return parts.map(({ text, isEscaped }) => {
    if (!isEscaped) return document.createTextNode(text);
    const mark = create('mark', 'escaped');
    mark.textContent = text;
    return mark;
  });
}

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}
