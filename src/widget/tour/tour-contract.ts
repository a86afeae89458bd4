import type { TourStep } from '../../wire/tour.ts';
import type { Endpoints } from '../nodes/own-endpoints.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

export interface TourOptions {
  /** The element inside the shadow root that takes the tour. */
  readonly root: HTMLElement;
  readonly texts: WidgetTexts;
  /** Opens the page of a step. With false the link opens it. */
  readonly openPage: (step: TourStep & { readonly url: string }) => boolean;
  readonly links: Endpoints;
}

/** A tour on the screen. */
export interface ShownTour {
  /** Resolves when the tour has ended, in whatever way. */
  readonly ended: Promise<void>;
  end(): void;
}

export interface TourGuideOptions {
  /** The address of the steps. */
  readonly url: string;
  readonly host: { readonly root: HTMLElement; readonly element: HTMLElement };
  readonly texts: () => WidgetTexts;
  readonly openPage: TourOptions['openPage'];
  readonly links: TourOptions['links'];
  /** The panel, which closes for a tour and opens again after it. */
  readonly panel: { readonly isOpen: boolean; open(): void; close(): void };
  /** Called when there is an offer to show. */
  readonly onOffer: () => void;
  /** Called when the user has declined the tour. The caller must move the focus, because the offer disappears. */
  readonly onDeclined: () => void;
  /** Announces a text to screen readers. */
  readonly say: (text: string) => void;
}

/** Offers the tour and shows it. */
export interface TourGuide {
  /** The offer. Empty when there is none. */
  readonly nodes: readonly Node[];
  /** Offers a tour that this browser has not seen, once the panel is open. Offers nothing when there is no tour. */
  offer(): Promise<void>;
  /** Resolves when the tour is on the screen. Rejects when there is none. */
  start(): Promise<void>;
  end(): void;
  /** Draws the offer in the current language. */
  redraw(): void;
}

/** What the tour chunk exports. */
export interface TourModule {
  readonly createGuide: (options: TourGuideOptions) => TourGuide;
  readonly styles: string;
}
