import type { ClientSettings } from '../../wire/client-settings.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { ComposedImage, SentImage } from './composed-image.ts';

/** The pictures that the server takes (contract/widget.md#pictures). */
export type ImageLimits = NonNullable<ClientSettings['images']>;

export interface ImageFieldOptions {
  readonly limits: ImageLimits;
  /** Where pictures may be pasted or dropped. */
  readonly dialog: HTMLElement;
  readonly texts: () => WidgetTexts;
  /** The pictures or their faults have changed. */
  readonly onChange: () => void;
  /** Moves the keyboard back to the text. */
  readonly onLeft: () => void;
}

/** The pictures that go with the next message, each shown with a button that removes it. */
export interface ImageField {
  /** The elements that the composer shows beside the text. */
  readonly nodes: readonly Node[];
  readonly images: readonly ComposedImage[];
  /** Whether pictures are being read. */
  readonly isBusy: boolean;
  /** Why the last files were not taken. Empty when all were taken. */
  readonly fault: string;
  /** Shows these pictures in place of the current ones. */
  show(images: readonly ComposedImage[]): void;
  /** The elements that the transcript shows for pictures of a sent message. */
  sent(images: readonly SentImage[]): readonly Node[];
  /** Draws the field in the current language. */
  redraw(): void;
}

/** What the images chunk exports. */
export interface ImagesModule {
  readonly openField: (options: ImageFieldOptions) => ImageField;
  readonly styles: string;
}
