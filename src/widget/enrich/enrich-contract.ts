/** What the chunks export that improve parts of a complete reply. */
export interface EnrichModule {
  readonly styles?: string;
  /** Changes how the part looks. Its text stays what it was, and a part that cannot be improved stays as it is. */
  readonly enrich: (part: HTMLElement) => void;
}
