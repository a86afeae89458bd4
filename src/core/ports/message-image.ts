/** A picture that the user sends. Its media type was read from its content. */
export interface MessageImage {
  readonly name: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64. */
  readonly data: string;
}
