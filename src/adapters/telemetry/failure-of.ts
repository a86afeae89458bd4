import { ModelError } from '../../core/ports/chat-model.ts';

/** The kind of failure of a call to a model: a code, `stopped` or `internal`. */
export function failureOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ModelError) return error.code;
  return signal.aborted ? 'stopped' : 'internal';
}
