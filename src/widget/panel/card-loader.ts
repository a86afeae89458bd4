import type { CardPlan, CardsModule } from '../cards/card-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelHost } from '../widget-contract.ts';

/** File name of the cards chunk of this build, beside the panel (scripts/build-widget.ts). */
declare const CARDS_CHUNK: string;

/** Fetches the cards chunk with the first card; a failed fetch is tried again with the next. */
export class CardLoader {
  readonly #host: PanelHost;
  readonly #addStyles: (css: string) => void;
  #module: Promise<CardsModule> | null = null;
  #planned = 0;

  constructor(host: PanelHost, addStyles: (css: string) => void) {
    this.#host = host;
    this.#addStyles = addStyles;
  }

  /** Rejects when the chunk cannot be fetched. */
  async plan(card: unknown, texts: WidgetTexts): Promise<CardPlan> {
    this.#module ??= this.#load();
    const { planCard } = await this.#module;
    this.#planned += 1;
    const { imageHosts } = this.#host.settings;
    return planCard(card, { texts, imageHosts, idPrefix: `card-${this.#planned}` });
  }

  async #load(): Promise<CardsModule> {
    try {
      const url = new URL(CARDS_CHUNK, new URL(this.#host.settings.panel, this.#host.scriptUrl));
      const module = (await import(url.href)) as CardsModule; // the chunk of the same build
      this.#addStyles(module.cardStyles);
      return module;
    } catch (error) {
      this.#module = null;
      throw error;
    }
  }
}
