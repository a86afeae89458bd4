import type { ClientSettings } from '../../wire/client-settings.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { ComposedImage, SentImage } from './composed-image.ts';

/** The pictures that the server takes (contract/widget.md#pictures). */
export type ImageLimits = NonNullable<ClientSettings['images']>;

/** The files that the server reads (contract/widget.md#files). */
export type FileLimits = NonNullable<ClientSettings['files']>;

/** What a field takes with a message, and how that is shown. */
export interface Taker {
  /** Types and endings of the files that are offered to be picked. */
  readonly accept: readonly string[];
  /** The SVG path of the button. */
  readonly drawing: string;
  /** The names of the button and of the list. */
  names(texts: WidgetTexts): { readonly attach: string; readonly list: string };
  /** Reads a file. A text says why it is not taken. */
  take(
    file: File,
    around: { readonly taken: readonly ComposedImage[]; readonly texts: WidgetTexts },
  ): Promise<ComposedImage | string>;
  draw(sent: SentImage): HTMLElement;
}

export interface FieldOptions {
  /** Where files may be pasted or dropped. */
  readonly dialog: HTMLElement;
  readonly texts: () => WidgetTexts;
  /** The files or their faults have changed. */
  readonly onChange: () => void;
  /** Moves the keyboard back to the text. */
  readonly onLeft: () => void;
}

/** The options of a field, with what the server takes. The chunk for pictures needs `limits`, the one for files needs `files`. */
export interface ImageFieldOptions extends FieldOptions {
  readonly limits: ImageLimits | undefined;
  readonly files: FileLimits | undefined;
}

/** The pictures and files that go with the next message, each shown with a button that removes it. */
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

/** What the images chunk and the files chunk export. */
export interface ImagesModule {
  readonly openField: (options: ImageFieldOptions) => ImageField;
  readonly styles: string;
}
