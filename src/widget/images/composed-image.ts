/** A picture or a file in the form in which it goes with a message. */
export interface ComposedImage {
  readonly name: string;
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
  /**
   * An `ImageBitmap` for the transcript. It is drawn on a canvas, so that the page's policy about images does not forbid it. A file that is
   * no picture has none.
   */
  readonly thumbnail?: { readonly width: number; readonly height: number } | undefined;
}

/** The part of a sent picture or file that the transcript keeps. */
export type SentImage = Pick<ComposedImage, 'name' | 'thumbnail'>;
