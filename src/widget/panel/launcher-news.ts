import { fillCounted } from '../texts/fill-counted.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelHost } from '../widget-contract.ts';
import type { HostEvents } from './host-events.ts';

interface LauncherNewsOptions {
  readonly launcher: PanelHost['launcher'];
  /** Says in the title of the page how many questions wait in a closed panel. */
  readonly mark: (questions: number) => void;
  readonly events: HostEvents;
  readonly isOpen: () => boolean;
  /** The number of questions that wait for an answer. */
  readonly open: () => number;
  readonly texts: () => WidgetTexts;
}

/**
 * Tells the launcher whether the panel is open. While the panel is closed, it also tells whether something new has come, and it and the
 * page's title tell how many questions wait: they are gone in minutes (contract/widget.md#looks).
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

  /** Whether something in the closed panel was not seen, or waits. */
  get hasNews(): boolean {
    return this.#count + this.#options.open() > 0;
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
    const { launcher, mark, open, texts } = this.#options;
    const { openChat, closeChat, openChatNews, openChatQuestions, locale } = texts();
    const isOpen = this.#options.isOpen();
    const questions = isOpen ? 0 : open();
    const hasNews = !isOpen && this.#count + questions > 0;
    const waiting = fillCounted(openChatQuestions, { count: questions }, locale);
    const label = isOpen ? closeChat : questions > 0 ? waiting : hasNews ? openChatNews : openChat;
    launcher.show({ isOpen, label });
    launcher.button.classList.toggle('has-news', hasNews);
    launcher.button.dataset['questions'] = String(questions || '');
    mark(questions);
  }

  #tell(): void {
    this.show();
    this.#options.events.dispatch('unread', { count: this.#count });
  }
}
