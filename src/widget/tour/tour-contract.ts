import type { TourStep } from '../../wire/tour.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

export interface TourOptions {
  /** The box inside the shadow root that takes the tour. */
  readonly root: HTMLElement;
  readonly texts: WidgetTexts;
  /** Goes to the page of a step; false leaves that to the link. */
  readonly openPage: (step: TourStep & { readonly url: string }) => boolean;
}

/** A tour on the screen. */
export interface ShownTour {
  /** Resolves when it has ended, however it ended. */
  readonly ended: Promise<void>;
  end(): void;
}

export interface TourGuideOptions {
  /** Where the steps are. */
  readonly url: string;
  readonly host: { readonly root: HTMLElement; readonly element: HTMLElement };
  readonly texts: () => WidgetTexts;
  readonly openPage: TourOptions['openPage'];
  /** The panel makes room for a tour and comes back after it. */
  readonly panel: { readonly isOpen: boolean; open(): void; close(): void };
  /** There is an offer to be shown. */
  readonly onOffer: () => void;
  /** The user does not want it: the keyboard goes on elsewhere. */
  readonly onDeclined: () => void;
  /** To screen readers. */
  readonly say: (text: string) => void;
}

/** Offers the tour and shows it. */
export interface TourGuide {
  /** The offer; none where there is nothing to be offered. */
  readonly nodes: readonly Node[];
  /** The panel is open: offers a tour that this browser has not seen. Nothing is said when there is none to be had. */
  offer(): Promise<void>;
  /** Resolves when it is on the screen. Rejects when it cannot be had. */
  start(): Promise<void>;
  end(): void;
  /** In another language. */
  redraw(): void;
}

/** What the tour chunk exports. */
export interface TourModule {
  readonly createGuide: (options: TourGuideOptions) => TourGuide;
  readonly styles: string;
}
