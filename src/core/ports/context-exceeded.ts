/**
 * The request cannot be made to fit the context window of a model (contract/models.md#the-context-window). The model was not called. The
 * message is for logs.
 */
export class ContextExceeded extends Error {
  override readonly name = 'ContextExceeded';
}
