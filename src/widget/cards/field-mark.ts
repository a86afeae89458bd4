import { elementOf, faultOf } from './card-fields.ts';
import type { CardField, FaultTexts } from './card-contract.ts';

export interface FieldMarkOptions {
  readonly box: Element;
  readonly fields: readonly CardField[];
  readonly texts: FaultTexts;
  /** Keeps the fault of one card apart from that of another. */
  readonly idPrefix: string;
}

/** Marks the first field that keeps a card from being sent. The mark goes as soon as the user has corrected the field. */
export class FieldMark {
  readonly #options: FieldMarkOptions;
  readonly #error = document.createElement('p');
  #marked: { readonly index: number; readonly input: HTMLElement | null } | null = null;

  constructor(options: FieldMarkOptions) {
    this.#options = options;
    this.#error.id = `${options.idPrefix}-fault`;
    this.#error.className = 'card-error';
    this.#error.dir = 'auto';
    this.#error.setAttribute('role', 'alert');
    options.box.addEventListener('input', () => {
      if (this.#marked !== null && this.#faultAt(this.#marked.index) === '') this.#clear();
    });
  }

  /** Whether every field can be sent. Otherwise the first faulty field gets the focus and its fault. */
  passes(): boolean {
    this.#clear();
    const { box, fields } = this.#options;
    const index = fields.findIndex((_field, at) => this.#faultAt(at) !== '');
    if (index < 0) return true;
    const element = elementOf(box, index);
    // A group of boxes cannot take the focus, so its first box does.
    const input =
      element instanceof HTMLFieldSetElement ? element.querySelector('input') : (element as HTMLElement | null); // every field is planned as HTML
    const choice = element?.closest('.choice');
    // The fault stands behind the label. Inside the label it would become part of the field's name.
    if (choice) choice.after(this.#error);
    else (element?.closest('.field') ?? box).append(this.#error);
    this.#error.textContent = this.#faultAt(index);
    input?.setAttribute('aria-invalid', 'true');
    input?.setAttribute('aria-describedby', this.#error.id);
    input?.focus();
    this.#marked = { index, input };
    return false;
  }

  #faultAt(index: number): string {
    const { box, fields, texts } = this.#options;
    const field = fields[index];
    return field === undefined ? '' : faultOf(elementOf(box, index), field, texts);
  }

  #clear(): void {
    this.#error.remove();
    this.#marked?.input?.removeAttribute('aria-invalid');
    this.#marked?.input?.removeAttribute('aria-describedby');
    this.#marked = null;
  }
}
