import type { Tour } from '../../wire/tour.ts';
import { fetchTour } from './fetch-tour.ts';
import { hasSeen, markSeen } from './seen-tours.ts';
import { showTour } from './show-tour.ts';
import type { ShownTour, TourGuide, TourGuideOptions } from './tour-contract.ts';

/** The onboarding tour (service.md 2.4): offered once to whoever opens the panel, begun by a press or by the page alone. */
export function createGuide(options: TourGuideOptions): TourGuide {
  return new Guide(options);
}

class Guide implements TourGuide {
  readonly #options: TourGuideOptions;
  #isOffered = false;
  #hasAsked = false;
  #shown: ShownTour | null = null;
  #isStarting = false;

  constructor(options: TourGuideOptions) {
    this.#options = options;
  }

  get isOffered(): boolean {
    return this.#isOffered;
  }

  async offer(): Promise<void> {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    try {
      const tour = await this.#fetch();
      if (this.#shown === null && !hasSeen(this.#options.url, tour.version)) this.#setOffered(true);
    } catch {
      // The next time the panel opens, perhaps.
      this.#hasAsked = false;
    }
  }

  async decline(): Promise<void> {
    this.#setOffered(false);
    markSeen(this.#options.url, (await this.#fetch()).version);
  }

  async start(): Promise<void> {
    if (this.#shown !== null || this.#isStarting) return;
    const { url, host, panel, texts, openPage } = this.#options;
    this.#isStarting = true;
    try {
      const tour = await this.#fetch();
      this.#setOffered(false);
      const wasOpen = panel.isOpen;
      panel.close();
      const shown = showTour(tour, { root: host.root, texts: texts(), openPage });
      this.#shown = shown;
      void shown.ended.then(() => {
        this.#shown = null;
        markSeen(url, tour.version);
        if (wasOpen && host.element.isConnected && !host.element.hidden) panel.open();
      });
    } finally {
      this.#isStarting = false;
    }
  }

  end(): void {
    this.#shown?.end();
  }

  #fetch(): Promise<Tour> {
    return fetchTour(this.#options.url);
  }

  #setOffered(isOffered: boolean): void {
    if (isOffered === this.#isOffered) return;
    this.#isOffered = isOffered;
    this.#options.onOffer(isOffered);
  }
}
