import type { Tour } from '../../../wire/tour.ts';
import type { WidgetTexts } from '../../texts/widget-texts.ts';
import type { ShownTour, TourModule, TourOptions } from '../../tour/tour-contract.ts';
import type { PanelHost } from '../../widget-contract.ts';
import { LazyChunk } from '../lazy-chunk.ts';

/** File name of the tour chunk of this build (scripts/build-widget.ts). */
declare const TOUR_CHUNK: string;

export interface TourGuideOptions {
  readonly host: PanelHost;
  readonly addStyles: (css: string) => void;
  readonly texts: () => WidgetTexts;
  readonly openPage: TourOptions['openPage'];
  /** The panel makes room for a tour and comes back after it. */
  readonly panel: { readonly isOpen: boolean; open(): void; close(): void };
  /** The offer has come or gone; a new one is announced. */
  readonly onOffer: (isNew: boolean) => void;
}

interface Loaded {
  readonly url: string;
  readonly tour: Tour;
  readonly chunk: TourModule;
}

/** The onboarding tour (service.md 2.4): offered once to whoever opens the panel, begun by a press or by the page alone. */
export class TourGuide {
  readonly #options: TourGuideOptions;
  readonly #chunk: LazyChunk<TourModule>;
  #isOffered = false;
  #hasAsked = false;
  #shown: ShownTour | null = null;
  #isStarting = false;

  constructor(options: TourGuideOptions) {
    this.#options = options;
    this.#chunk = new LazyChunk({ host: options.host, file: TOUR_CHUNK, addStyles: options.addStyles });
  }

  get isOffered(): boolean {
    return this.#isOffered;
  }

  /** The panel is open: offers a tour that this browser has not seen. Nothing is said when there is none to be had. */
  async offer(): Promise<void> {
    if (this.#hasAsked || this.#options.host.settings.tourUrl === undefined) return;
    this.#hasAsked = true;
    try {
      const { url, tour, chunk } = await this.#load();
      if (this.#shown === null && !chunk.hasSeen(url, tour.version)) this.#setOffered(true);
    } catch {
      // The next time the panel opens, perhaps.
      this.#hasAsked = false;
    }
  }

  /** The user does not want it, now or later. */
  async decline(): Promise<void> {
    this.#setOffered(false);
    const { url, tour, chunk } = await this.#load();
    chunk.markSeen(url, tour.version);
  }

  /** Resolves when it is on the screen. @throws Error when it cannot be had, or the page has hidden the widget. */
  async start(): Promise<void> {
    if (this.#shown !== null || this.#isStarting) return;
    const { host, panel, texts, openPage } = this.#options;
    if (host.settings.tourUrl === undefined) throw new Error('enableOnboardingTour is off');
    if (host.element.hidden) throw new Error('the widget is hidden');
    this.#isStarting = true;
    try {
      const { url, tour, chunk } = await this.#load();
      this.#setOffered(false);
      const wasOpen = panel.isOpen;
      panel.close();
      const shown = chunk.showTour(tour, { root: host.root, texts: texts(), openPage });
      this.#shown = shown;
      void shown.ended.then(() => {
        this.#shown = null;
        chunk.markSeen(url, tour.version);
        if (wasOpen && host.element.isConnected && !host.element.hidden) panel.open();
      });
    } finally {
      this.#isStarting = false;
    }
  }

  /** The panel opens, or the page takes the widget away. */
  end(): void {
    this.#shown?.end();
  }

  async #load(): Promise<Loaded> {
    const { settings, scriptUrl } = this.#options.host;
    const url = new URL(settings.tourUrl ?? '', scriptUrl).href;
    const chunk = await this.#chunk.load();
    return { url, tour: await chunk.fetchTour(url), chunk };
  }

  #setOffered(isOffered: boolean): void {
    if (isOffered === this.#isOffered) return;
    this.#isOffered = isOffered;
    this.#options.onOffer(isOffered);
  }
}
