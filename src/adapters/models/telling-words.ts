import { ModelError } from '../../core/ports/chat-model.ts';

/**
 * Lets the faults of calls say what their provider says, which may repeat what it was sent (`observabilityIncludeSensitiveData`).
 * Rejects as the call does.
 */
export async function tellingWords<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ModelError && error.words !== undefined) error.message = `${error.message}: ${error.words}`;
    throw error;
  }
}
