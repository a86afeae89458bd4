import type { CardsModule, DrawnCardOptions } from '../../cards/cards-module.ts';
import type { WidgetTexts } from '../../texts/widget-texts.ts';
import type { PanelHost } from '../../widget-contract.ts';
import { LazyChunk } from '../lazy-chunk.ts';

/** File name of the cards chunk of this build (scripts/build-widget.ts). */
declare const CARDS_CHUNK: string;

/** Draws cards with the cards chunk, which is fetched with the first one. */
export class CardLoader {
  readonly #host: PanelHost;
  readonly #chunk: LazyChunk<CardsModule>;
  #drawn = 0;

  constructor(host: PanelHost, addStyles: (css: string) => void) {
    this.#host = host;
    this.#chunk = new LazyChunk({ host, file: CARDS_CHUNK, addStyles });
  }

  /** Rejects when the chunk cannot be fetched. */
  async draw(card: unknown, texts: WidgetTexts, onSubmit: DrawnCardOptions['onSubmit']): Promise<HTMLElement> {
    const { drawCard } = await this.#chunk.load();
    this.#drawn += 1;
    const { imageHosts } = this.#host.settings;
    return drawCard(card, { texts, imageHosts, idPrefix: `card-${this.#drawn}`, onSubmit });
  }
}
