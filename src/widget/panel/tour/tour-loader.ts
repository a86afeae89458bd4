import type { TourGuide, TourGuideOptions, TourModule } from '../../tour/tour-contract.ts';
import type { PanelHost } from '../../widget-contract.ts';
import { LazyChunk } from '../lazy-chunk.ts';

/** File name of the tour chunk of this build (scripts/build-widget.ts). */
declare const TOUR_CHUNK: string;

export interface TourLoaderOptions extends Omit<TourGuideOptions, 'url'> {
  readonly host: PanelHost;
  readonly addStyles: (css: string) => void;
}

/** The onboarding tour, whose guide comes with the tour chunk when the panel opens and the server has a tour. */
export class TourLoader {
  readonly #options: TourLoaderOptions;
  readonly #chunk: LazyChunk<TourModule>;
  #guide: TourGuide | null = null;

  constructor(options: TourLoaderOptions) {
    this.#options = options;
    this.#chunk = new LazyChunk({ host: options.host, file: TOUR_CHUNK, addStyles: options.addStyles });
  }

  get isOffered(): boolean {
    return this.#guide?.isOffered === true;
  }

  /** The panel is open. Nothing is said when there is no tour to be had. */
  async offer(): Promise<void> {
    if (this.#options.host.settings.tourUrl === undefined) return;
    // A chunk that cannot be had now may be had when the panel opens again.
    const guide = await this.#load().catch(() => null);
    await guide?.offer();
  }

  async decline(): Promise<void> {
    await this.#guide?.decline();
  }

  /** Resolves when it is on the screen. @throws Error when it cannot be had, or the page has hidden the widget. */
  async start(): Promise<void> {
    const { host } = this.#options;
    if (host.settings.tourUrl === undefined) throw new Error('enableOnboardingTour is off');
    if (host.element.hidden) throw new Error('the widget is hidden');
    const guide = await this.#load();
    await guide.start();
  }

  /** The panel opens, or the page takes the widget away. */
  end(): void {
    this.#guide?.end();
  }

  async #load(): Promise<TourGuide> {
    const { settings, scriptUrl } = this.#options.host;
    const { createGuide } = await this.#chunk.load();
    const url = new URL(settings.tourUrl ?? '', scriptUrl).href;
    this.#guide ??= createGuide({ ...this.#options, url });
    return this.#guide;
  }
}
