import type { CallerLimit } from '../errors/error-codes.ts';
import type { CountedCaller } from './counted-caller.ts';

/** Tells the operator who was refused for a limit of callers (contract/operations.md#logs). */
export interface RefusalLog {
  /** Writes the line of one refusal. `caller` is undefined where neither a user nor an address is known. */
  noteLimit(
    reason: CallerLimit,
    caller: CountedCaller | undefined,
    turn?: { readonly turnId: string; readonly conversationId: string },
  ): void;
}
