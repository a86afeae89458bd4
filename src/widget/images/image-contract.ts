import type { ClientSettings } from '../../wire/client-settings.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { ComposedImage, SentImage } from './composed-image.ts';

/** What the server takes (contract/widget.md#pictures). */
export type ImageLimits = NonNullable<ClientSettings['images']>;

export interface ImageFieldOptions {
  readonly limits: ImageLimits;
  /** Where pictures may be pasted or dropped. */
  readonly dialog: HTMLElement;
  readonly texts: () => WidgetTexts;
  /** Pictures came or went, or there is something to complain about. */
  readonly onChange: () => void;
  /** The keyboard goes back to the text. */
  readonly onLeft: () => void;
}

/** The pictures that go with the next message, each shown with a button that removes it. */
export interface ImageField {
  /** What is shown of it, beside the text. */
  readonly nodes: readonly Node[];
  readonly images: readonly ComposedImage[];
  /** Pictures are being read. */
  readonly isBusy: boolean;
  /** Why the last ones were not taken; empty when all were. */
  readonly fault: string;
  /** Puts these in place of what is there. */
  show(images: readonly ComposedImage[]): void;
  /** What the transcript shows of pictures that went with a message. */
  sent(images: readonly SentImage[]): readonly Node[];
  /** In another language. */
  redraw(): void;
}

/** What the images chunk exports. */
export interface ImagesModule {
  readonly openField: (options: ImageFieldOptions) => ImageField;
  readonly styles: string;
}
