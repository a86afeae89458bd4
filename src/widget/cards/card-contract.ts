import type { NodePlan } from '../nodes/node-plan.ts';
import type { LinkRules } from '../nodes/plan-link.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

/** What a button of a card does; its element carries the index in `data-action`. */
export type CardAction =
  | { readonly type: 'submit'; readonly title: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: 'none' };

/** An input of a card; its element carries the index in `data-field`. */
export interface CardField {
  readonly id: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** The card's own words for a value that does not fit. Empty when the card gives none. */
  readonly errorMessage: string;
  readonly type: 'text' | 'number' | 'toggle' | 'choice' | 'choices';
  /** The value that a toggle sends when it is on. */
  readonly on: string;
  readonly off: string;
}

/** The widget's words for a value that does not fit. */
export type FaultTexts = Pick<
  WidgetTexts,
  'cardRequired' | 'cardRange' | 'notANumber' | 'notADate' | 'tooLong' | 'locale'
>;

/** A card ready to be drawn. */
export interface CardPlan {
  readonly root: NodePlan;
  readonly actions: readonly CardAction[];
  readonly fields: readonly CardField[];
}

export interface CardOptions {
  readonly texts: Pick<WidgetTexts, 'cardLabel' | 'locale' | 'table' | 'showData'>;
  /** Hosts whose images may load, beside the page's own (contract/cards.md). */
  readonly imageHosts: readonly string[];
  readonly links: LinkRules;
  /** Keeps the inputs of one card apart from those of another. */
  readonly idPrefix: string;
}
