import { objectOf } from '../json-values.ts';

/**
 * The part of a LangChain chat model that this server uses. The type is structural, because a plugin or package may bring its own copy of
 * LangChain with other classes.
 */
export interface StreamingModel {
  stream(
    input: unknown,
    options: { readonly signal: AbortSignal; readonly previous_response_id?: string },
  ): Promise<AsyncIterable<unknown>>;
  bindTools?(tools: readonly object[], options?: Readonly<Record<string, unknown>>): StreamingModel;
}

/** Whether a value can be used as a LangChain chat model: it streams, and says that it is a chat model. */
export function isStreamingModel(value: unknown): value is StreamingModel {
  const candidate = objectOf(value);
  if (candidate === undefined || typeof candidate['stream'] !== 'function') return false;
  return typeof candidate['_modelType'] === 'function' || typeof candidate['bindTools'] === 'function';
}
