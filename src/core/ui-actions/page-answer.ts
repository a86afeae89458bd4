import { UiActionFault } from './ui-action-fault.ts';

/** Largest answer of a page, in bytes of JSON (contract/ui-actions.md). */
const maxAnswerBytes = 64 * 1024;

/**
 * What a page has answered, as JSON. An answer that is left out does not make the action one that failed: the page has done it.
 * @throws UiActionFault `unreadable` for an answer that is no JSON or too large.
 */
export function readPageAnswer(answer: unknown): unknown {
  let text: string | undefined;
  try {
    // Undefined has no JSON, so a page that answers nothing has answered null. MessagePack may bring values that have
    // no JSON at all.
    text = JSON.stringify(answer ?? null);
  } catch {
    throw new UiActionFault('unreadable');
  }
  if (Buffer.byteLength(text) > maxAnswerBytes) throw new UiActionFault('unreadable');
  return JSON.parse(text);
}
