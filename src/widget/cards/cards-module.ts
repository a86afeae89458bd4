import type { CardOptions, FaultTexts } from './card-contract.ts';

export interface DrawnCardOptions extends CardOptions {
  readonly texts: CardOptions['texts'] & FaultTexts;
  /** The user pressed a button that sends. Gets the button's title, and its data together with the user's inputs. */
  readonly onSubmit: (title: string, data: Readonly<Record<string, unknown>>) => void;
}

/** What the cards chunk exports. */
export interface CardsModule {
  readonly drawCard: (card: unknown, options: DrawnCardOptions) => HTMLElement;
  readonly styles: string;
}
