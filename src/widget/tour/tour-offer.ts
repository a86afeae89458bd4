import type { WidgetTexts } from '../texts/widget-texts.ts';

/** Asks once whether the user wants the tour. The tour begins only after a yes. */
export class TourOffer {
  readonly element = document.createElement('div');
  readonly #question = document.createElement('p');
  readonly #start: HTMLButtonElement;
  readonly #decline: HTMLButtonElement;

  constructor(press: { readonly start: () => void; readonly decline: () => void }) {
    this.element.className = 'tour-offer';
    this.element.role = 'group';
    this.#question.ariaHidden = 'true';
    this.#start = button('button primary', press.start);
    this.#decline = button('button', press.decline);
    this.element.append(this.#question, this.#start, this.#decline);
  }

  name({ tourOffer, tourStart, tourDecline }: WidgetTexts): void {
    this.element.ariaLabel = tourOffer;
    this.#question.textContent = tourOffer;
    this.#start.textContent = tourStart;
    this.#decline.textContent = tourDecline;
  }
}

function button(className: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  made.onclick = press;
  return made;
}
