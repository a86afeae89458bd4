import type { TurnErrorCode } from '../errors/error-codes.ts';

/** What has kept a message from being answered, or a reply from being shown. */
export type GuardrailBlock = 'input' | 'output' | 'scope';

const blocks: ReadonlyMap<TurnErrorCode, GuardrailBlock> = new Map([
  ['unsafe_message', 'input'],
  ['safety_check_unavailable', 'input'],
  ['out_of_scope', 'scope'],
  ['reply_withheld', 'output'],
]);

/** The codes of turns that a guardrail has ended. */
export const guardrailCodes: readonly TurnErrorCode[] = [...blocks.keys()];

/** The guardrail that has ended a turn with this code; undefined when it was none. */
export function blockOf(code: TurnErrorCode): GuardrailBlock | undefined {
  return blocks.get(code);
}
