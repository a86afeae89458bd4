import type { Tour } from '../../wire/tour.ts';
import { fetchTour } from './fetch-tour.ts';
import { hasSeen, markSeen } from './seen-tours.ts';
import { showTour } from './show-tour.ts';
import { TourOffer } from './tour-offer.ts';
import type { ShownTour, TourGuide, TourGuideOptions } from './tour-contract.ts';

/**
 * The onboarding tour (contract/widget.md#tour). It is offered once to a user who opens the panel. It begins only when the user accepts
 * or the page starts it.
 */
export function createGuide(options: TourGuideOptions): TourGuide {
  return new Guide(options);
}

class Guide implements TourGuide {
  readonly #options: TourGuideOptions;
  readonly #offer = new TourOffer({
    start: () => void this.start().catch(() => this.#options.say(this.#options.texts().notice.failed)),
    decline: () => void this.#decline().catch(() => 0),
  });
  #isOffered = false;
  #hasAsked = false;
  #shown: ShownTour | null = null;
  #isStarting = false;

  constructor(options: TourGuideOptions) {
    this.#options = options;
    this.redraw();
  }

  get nodes(): readonly Node[] {
    return this.#isOffered ? [this.#offer.element] : [];
  }

  redraw(): void {
    this.#offer.name(this.#options.texts());
  }

  async offer(): Promise<void> {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    try {
      const tour = await this.#fetch();
      if (this.#shown === null && !hasSeen(this.#options.url, tour.version)) {
        this.#isOffered = true;
        this.#options.onOffer();
      }
    } catch {
      // The next opening of the panel tries to offer the tour again.
      this.#hasAsked = false;
    }
  }

  async #decline(): Promise<void> {
    this.#endOffer();
    this.#options.onDeclined();
    markSeen(this.#options.url, (await this.#fetch()).version);
  }

  async start(): Promise<void> {
    if (this.#shown !== null || this.#isStarting) return;
    const { url, host, panel, texts, openPage, links } = this.#options;
    this.#isStarting = true;
    try {
      const tour = await this.#fetch();
      this.#endOffer();
      const wasOpen = panel.isOpen;
      panel.close();
      const shown = showTour(tour, { root: host.root, texts: texts(), openPage, links });
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

  #endOffer(): void {
    this.#isOffered = false;
    this.#offer.element.remove();
  }
}
