import type { Tour, TourStep } from '../../wire/tour.ts';
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

/** What the tour chunk exports. */
export interface TourModule {
  /** Rejects when there is none to be had. */
  readonly fetchTour: (url: string) => Promise<Tour>;
  /** Whether this browser has seen a tour of this version, or was asked and declined. */
  readonly hasSeen: (url: string, version: string) => boolean;
  readonly markSeen: (url: string, version: string) => void;
  readonly showTour: (tour: Tour, options: TourOptions) => ShownTour;
  readonly styles: string;
}
