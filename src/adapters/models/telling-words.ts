import { ModelError } from '../../core/ports/chat-model.ts';

/**
 * Adds the provider's words to the faults of a call. They may repeat what the provider was sent (`observabilityIncludeSensitiveData`).
 * Rejects when the call does.
 */
export async function tellingWords<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ModelError && error.words !== undefined) error.message = `${error.message}: ${error.words}`;
    throw error;
  }
}
