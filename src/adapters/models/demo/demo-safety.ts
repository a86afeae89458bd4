import { safetyForm } from '../../../core/guardrails/safety-check.ts';
import type { ModelRequest } from '../../../core/ports/chat-model.ts';

/** Enough to show a refusal: what a demonstration is asked first, in each of the languages. */
const attempts =
  /ignore .{0,30}instructions|ignor\w* .{0,30}(?:anweisungen|vorgaben|instrucciones|instructions|istruzioni|instruções)|negeer .{0,30}instructies|zignoruj .{0,30}instrukcje|指示を.{0,10}無視|忽略.{0,10}(?:指令|指示|说明)/iu;

/** The answer to the question whether a message is safe; undefined when something else is asked. */
export function safetyAnswer({
  format,
  instructions,
  messages,
}: Pick<ModelRequest, 'format' | 'instructions' | 'messages'>): string | undefined {
  if (format !== 'json' || !instructions.endsWith(safetyForm)) return undefined;
  return JSON.stringify({ safe: !attempts.test(messages.at(-1)?.text ?? '') });
}
