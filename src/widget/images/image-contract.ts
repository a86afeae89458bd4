import type { ClientSettings } from '../../wire/client-settings.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { ComposedImage } from './composed-image.ts';

/** What the server takes (service.md 2.20). */
export type ImageLimits = NonNullable<ClientSettings['images']>;

export interface TrayOptions {
  readonly limits: ImageLimits;
  readonly texts: () => WidgetTexts;
  /** Pictures came or went, or there is something to complain about. */
  readonly onChange: () => void;
  /** The button that had the focus is gone, and no other picture is there. */
  readonly onEmptied: () => void;
}

/** The pictures that go with the next message: shown, each with a button that removes it. */
export interface ImageTray {
  readonly element: HTMLElement;
  readonly images: readonly ComposedImage[];
  /** Pictures are being read. */
  readonly isBusy: boolean;
  /** Why the last ones were not taken; empty when all were. */
  readonly fault: string;
  add(files: readonly File[]): Promise<void>;
  /** Puts these in place of what is there. */
  show(images: readonly ComposedImage[]): void;
}

/** What the images chunk exports. */
export interface ImagesModule {
  readonly openTray: (options: TrayOptions) => ImageTray;
  readonly styles: string;
}
