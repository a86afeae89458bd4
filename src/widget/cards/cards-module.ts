import type { CardOptions, FaultTexts } from './card-contract.ts';

export interface DrawnCardOptions extends CardOptions {
  readonly texts: CardOptions['texts'] & FaultTexts;
  /** A button was pressed that sends: its title, and its data with what the user put into the inputs. */
  readonly onSubmit: (title: string, data: Readonly<Record<string, unknown>>) => void;
}

/** What the cards chunk exports. */
export interface CardsModule {
  readonly drawCard: (card: unknown, options: DrawnCardOptions) => HTMLElement;
  readonly styles: string;
}
