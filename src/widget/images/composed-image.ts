/** A picture as it goes with a message. */
export interface ComposedImage {
  readonly name: string;
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
  /** What is shown of it: an `ImageBitmap`. On a canvas, so that no policy of the page about images is in its way. */
  readonly thumbnail: { readonly width: number; readonly height: number };
}

/** What is shown of a picture that was sent. */
export type SentImage = Pick<ComposedImage, 'name' | 'thumbnail'>;
