/**
 * What a provider wrote beside the text and the calls of a reply, and wants back with them: thoughts and signatures
 * (contract/models.md#what-comes-back). No user, log, summary or other model reads it.
 */
export interface ProviderExtras {
  /** The model that wrote it, with its provider and address (`ChatModel.extrasOf`). It means nothing to any other model. */
  readonly of: string;
  /** JSON in the form of the adapter that wrote it. */
  readonly content: Readonly<Record<string, unknown>>;
}
