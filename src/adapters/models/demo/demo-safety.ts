import { replySafetyTask, safetyForm } from '../../../core/guardrails/safety-check.ts';
import { scopeForm } from '../../../core/guardrails/scope-check.ts';
import type { ModelRequest } from '../../../core/ports/chat-model.ts';

/** Attempts that people make first in a demonstration, in each of the languages. They are enough to show a refusal. */
const attempts =
  /ignore .{0,30}instructions|ignor\w* .{0,30}(?:anweisungen|vorgaben|instrucciones|instructions|istruzioni|instruções)|negeer .{0,30}instructies|zignoruj .{0,30}instrukcje|指示を.{0,10}無視|忽略.{0,10}(?:指令|指示|说明)/iu;

/** Secrets that a reply must not give away: a provider's key, or a private key. */
const secrets = /\bsk-[\w-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----/u;

/** Questions that people ask in a demonstration to see a message turned away, in each of the languages. */
const unrelated =
  /\b(?:poem|weather|gedicht|wetter|poème|météo|poesia|tempo fa|poema|tiempo hace|o tempo|weer|wiersz|pogod[ayę])\b|天気|天气|詩|诗/iu;

/** The answer to a question of a guardrail. Undefined when the request is another one. */
export function safetyAnswer({
  format,
  instructions,
  messages,
}: Pick<ModelRequest, 'format' | 'instructions' | 'messages'>): string | undefined {
  if (format !== 'json') return undefined;
  const text = messages.at(-1)?.text ?? '';
  if (instructions.endsWith(scopeForm)) return JSON.stringify({ answer: unrelated.test(lastPart(text)) });
  if (!instructions.endsWith(safetyForm)) return undefined;
  const signs = instructions.startsWith(replySafetyTask) ? secrets : attempts;
  return JSON.stringify({ safe: !signs.test(text) });
}

/** The message itself, without the earlier ones: the text between the last two marks. */
function lastPart(text: string): string {
  const lines = text.split('\n');
  const mark = lines.at(-1) ?? '';
  return lines.slice(lines.lastIndexOf(mark, -2) + 1, -1).join('\n');
}
