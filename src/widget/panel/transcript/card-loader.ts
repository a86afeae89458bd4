import type { CardPlan, CardsModule } from '../../cards/card-contract.ts';
import type { WidgetTexts } from '../../texts/widget-texts.ts';
import type { PanelHost } from '../../widget-contract.ts';
import { LazyChunk } from '../lazy-chunk.ts';

/** File name of the cards chunk of this build (scripts/build-widget.ts). */
declare const CARDS_CHUNK: string;

/** Plans cards with the cards chunk, which is fetched with the first one. */
export class CardLoader {
  readonly #host: PanelHost;
  readonly #chunk: LazyChunk<CardsModule>;
  #planned = 0;

  constructor(host: PanelHost, addStyles: (css: string) => void) {
    this.#host = host;
    this.#chunk = new LazyChunk({ host, file: CARDS_CHUNK, addStyles });
  }

  /** Rejects when the chunk cannot be fetched. */
  async plan(card: unknown, texts: WidgetTexts): Promise<CardPlan> {
    const { planCard } = await this.#chunk.load();
    this.#planned += 1;
    const { imageHosts } = this.#host.settings;
    return planCard(card, { texts, imageHosts, idPrefix: `card-${this.#planned}` });
  }
}
