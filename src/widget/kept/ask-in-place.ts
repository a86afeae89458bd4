import type { ListTexts } from './list-texts.ts';
import { create, textButton } from './make-node.ts';

/** Replaces the content of `place` with a question. The Escape key calls `takeBack` and does not close the list. */
export function askInPlace(place: HTMLElement, question: HTMLElement, takeBack: () => void): void {
  question.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    takeBack();
  });
  place.replaceChildren(question);
}

interface TextQuestion {
  readonly texts: Pick<ListTexts, 'save' | 'cancel'>;
  readonly field: HTMLInputElement | HTMLTextAreaElement;
  readonly name: string;
  readonly maxLength: number;
  readonly takeBack: () => void;
  /** Gets the text without white space at its ends. The text is never empty. */
  readonly save: (text: string) => void;
}

/** Asks for a new text in `field`. The field holds the current text. */
export function askText(place: HTMLElement, { texts, field, name, maxLength, takeBack, save }: TextQuestion): void {
  const form = create('form', 'kept-form');
  field.maxLength = maxLength;
  field.required = true;
  field.dir = 'auto';
  field.setAttribute('aria-label', name);
  const saves = textButton(texts.save, 'button primary', () => undefined);
  saves.type = 'submit';
  form.append(field, saves, textButton(texts.cancel, 'button', takeBack));
  form.onsubmit = (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text !== '') save(text);
  };
  askInPlace(place, form, takeBack);
  field.select();
  field.focus();
}

interface RemovalQuestion {
  readonly texts: Pick<ListTexts, 'yes' | 'no'>;
  readonly question: string;
  readonly takeBack: () => void;
  readonly remove: () => void;
}

/** Asks whether to delete something for good. The focus is on the button that keeps it. */
export function askRemoval(place: HTMLElement, { texts, question, takeBack, remove }: RemovalQuestion): void {
  const box = create('div', 'kept-form');
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', question);
  const line = create('p', 'kept-question');
  line.dir = 'auto';
  line.textContent = question;
  const keep = textButton(texts.no, 'button', takeBack);
  box.append(line, keep, textButton(texts.yes, 'button danger', remove));
  askInPlace(place, box, takeBack);
  keep.focus();
}
