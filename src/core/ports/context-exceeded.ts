/**
 * The request cannot be made to fit the context window of a model (contract/models.md#the-context-window). The model was not called, or its provider
 * found the request too long. The message is for logs.
 */
export class ContextExceeded extends Error {
  override readonly name = 'ContextExceeded';
}
