import { fill, type WidgetTexts } from '../../texts/widget-texts.ts';
import type { PanelHost } from '../../widget-contract.ts';

/** What the panel's frame tells the panel. */
export interface PanelWindowListener {
  readonly onEscape: () => void;
  readonly onSwitchPart: () => void;
}

const small = '(max-width: 479px)';

/**
 * The panel's frame. Beside a page it is a dialog that leaves the page usable; on a small screen it covers the page, which
 * is then out of reach until it closes, and it stays above the on-screen keyboard.
 */
export class PanelWindow {
  readonly element = document.createElement('dialog');
  /** Where the panel's inside is drawn. */
  readonly content = document.createElement('div');
  readonly #listener: PanelWindowListener;
  /** There is nothing beside it to keep out of reach. */
  readonly #isPage: boolean;
  readonly #small = matchMedia(small);
  readonly #end = new AbortController();

  constructor({ root, isPage = false }: Pick<PanelHost, 'root' | 'isPage'>, listener: PanelWindowListener) {
    this.#isPage = isPage;
    this.#listener = listener;
    this.element.className = 'panel';
    this.element.part.add('panel');
    this.content.className = 'panel-content';
    this.element.append(this.content);
    const { signal } = this.#end;
    this.element.addEventListener('keydown', this.#press, { signal });
    this.element.addEventListener(
      'cancel',
      (event) => {
        event.preventDefault();
        listener.onEscape();
      },
      { signal },
    );
    this.#small.addEventListener('change', () => this.#reopen(), { signal });
    window.visualViewport?.addEventListener('resize', () => this.#fit(), { signal });
    window.visualViewport?.addEventListener('scroll', () => this.#fit(), { signal });
    root.append(this.element);
  }

  /** What the dialog is called, and in which language its texts are. */
  name({ locale, panelLabel }: WidgetTexts, botName: string): void {
    this.element.lang = locale;
    this.element.setAttribute('aria-label', fill(panelLabel, { botName }));
  }

  get isOpen(): boolean {
    return this.element.open;
  }

  get #isModal(): boolean {
    return this.#small.matches && !this.#isPage;
  }

  open(): void {
    if (this.#isModal) this.element.showModal();
    else this.element.show();
    this.#fit();
  }

  /** As it was on the page before. Beside a page, that takes the focus from nobody: `show` would. */
  reopen(): void {
    if (this.#isModal) {
      this.element.showModal();
      // It has put the focus on its first button, which nobody is at.
      this.element.querySelector<HTMLElement>(':focus')?.blur();
    } else this.element.open = true;
    this.#fit();
  }

  close(): void {
    this.element.close();
  }

  destroy(): void {
    this.#end.abort();
    this.element.remove();
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      this.#listener.onEscape();
    } else if (event.key === 'F6') {
      event.preventDefault();
      this.#listener.onSwitchPart();
    }
  };

  /** A turned phone or a resized window changes the kind of dialog. */
  #reopen(): void {
    if (!this.isOpen || this.#isPage) return;
    this.close();
    this.open();
  }

  /** The keyboard of a phone covers the page without resizing it: only the visual viewport says what is left. */
  #fit(): void {
    const { visualViewport } = window;
    const isFitted = this.isOpen && (this.#isPage || this.#small.matches) && visualViewport !== null;
    this.element.style.height = isFitted ? `${visualViewport.height}px` : '';
    this.element.style.insetBlockStart = isFitted ? `${visualViewport.offsetTop}px` : '';
  }
}
