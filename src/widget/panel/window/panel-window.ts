import { fill, type WidgetTexts } from '../../texts/widget-texts.ts';
import type { PanelHost } from '../../widget-contract.ts';

/** What the panel's frame reports. */
export interface PanelWindowListener {
  readonly onEscape: () => void;
  readonly onSwitchPart: () => void;
}

const small = '(max-width: 479px)';

function stop(event: Event): void {
  event.stopPropagation();
}

/**
 * The panel's frame. Beside a page it is a dialog that leaves the page usable. On a small screen it covers the page, which cannot be
 * reached until the panel closes. The frame stays above the on-screen keyboard.
 */
export class PanelWindow {
  readonly element = document.createElement('dialog');
  /** The element in which the panel's inside is drawn. */
  readonly content = document.createElement('div');
  readonly #listener: PanelWindowListener;
  /** Whether the panel fills the page, so that nothing beside it needs protection. */
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
    this.element.addEventListener('mousedown', () => this.#leavePage(), { signal });
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
    // What the page listens for, such as hotkeys and traps for the focus, is not meant for what users type here.
    for (const type of ['keydown', 'keyup', 'keypress', 'focusin']) root.addEventListener(type, stop, { signal });
    root.append(this.element);
  }

  /** Sets the dialog's name and the language of its texts. */
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
    this.#leavePage();
    if (this.#isModal) this.element.showModal();
    else this.element.show();
    this.#fit();
  }

  /**
   * Opens the panel as it was on the page before. Beside a page the focus stays in the page. `show` would take the focus, so it is not
   * called.
   */
  reopen(): void {
    if (this.#isModal) {
      this.element.showModal();
      // The browser has moved the focus to the dialog's first button, although nobody uses the panel.
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

  /** Ends the focus of the page. A focus trap of the page takes the focus back when it moves from the page straight into the panel. */
  #leavePage(): void {
    if (!this.element.matches(':focus-within')) (document.activeElement as HTMLElement | null)?.blur(); // each element that takes the focus has it
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

  /** Changes the kind of dialog when a phone is turned or a window is resized. */
  #reopen(): void {
    if (!this.isOpen || this.#isPage) return;
    this.close();
    this.open();
  }

  /**
   * Fits the frame above a phone's keyboard. The keyboard covers the page without resizing it, and only the visual viewport tells the
   * remaining space.
   */
  #fit(): void {
    const { visualViewport } = window;
    const isFitted = this.isOpen && (this.#isPage || this.#small.matches) && visualViewport !== null;
    this.element.style.height = isFitted ? `${visualViewport.height}px` : '';
    this.element.style.insetBlockStart = isFitted ? `${visualViewport.offsetTop}px` : '';
  }
}
