import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { LauncherState } from '../widget-contract.ts';
import type { HostEvents } from './host-events.ts';

interface LauncherNewsOptions {
  readonly show: (state: LauncherState) => void;
  readonly events: HostEvents;
  readonly isOpen: () => boolean;
  /** The number of questions that wait for an answer. */
  readonly open: () => number;
  readonly texts: () => WidgetTexts;
}

/**
 * Tells the launcher whether the panel is open. While the panel is closed, it also tells whether something new has come or a question
 * waits.
 */
export class LauncherNews {
  readonly #options: LauncherNewsOptions;
  #count = 0;

  constructor(options: LauncherNewsOptions) {
    this.#options = options;
  }

  /** The number of answers and questions that nobody has seen yet. */
  get count(): number {
    return this.#count;
  }

  add(): void {
    if (this.#options.isOpen()) return;
    this.#count += 1;
    this.#tell();
  }

  /** Call this when the user has seen all answers and questions. */
  clear(): void {
    if (this.#count > 0) {
      this.#count = 0;
      this.#tell();
    } else this.show();
  }

  show(): void {
    const { show, open, texts } = this.#options;
    const { openChat, closeChat, openChatNews } = texts();
    const isOpen = this.#options.isOpen();
    const hasNews = !isOpen && this.#count + open() > 0;
    show({ isOpen, hasNews, label: isOpen ? closeChat : hasNews ? openChatNews : openChat });
  }

  #tell(): void {
    this.show();
    this.#options.events.dispatch('unread', { count: this.#count });
  }
}
