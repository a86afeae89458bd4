/** An element of the welcome message: nothing that runs, loads a document or submits (contract/configuration.md). */
export interface WelcomeElement {
  readonly tag: 'a' | 'b' | 'br' | 'code' | 'em' | 'i' | 'img' | 'li' | 'ol' | 'p' | 'span' | 'strong' | 'u' | 'ul';
  /** Addresses have been checked by the server. */
  readonly attributes?: Readonly<
    Partial<Record<'href' | 'rel' | 'target' | 'src' | 'alt' | 'loading' | 'referrerpolicy', string>>
  >;
  readonly children?: WelcomeMessage;
}

/** The content of the empty chat: elements and texts. The server makes it from HTML, so its readers need no HTML parser. */
export type WelcomeMessage = readonly (WelcomeElement | string)[];
