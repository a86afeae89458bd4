import type { ChatMessage } from '../ports/chat-model.ts';
import { loadSkillName } from '../tools/tool-name.ts';

/** A result and its line are one pair for ever, so that adapters and counts keep what they know of the line. */
const lines = new WeakMap<ChatMessage, ChatMessage>();

/**
 * The result of a tool as one line that says that it was left out; its status stays. Any other message, and a result that is no
 * longer than the line, stays as it is, and so do the instructions of a skill: what follows is done by them. No word of the result is kept: half a result could pass for a whole one.
 */
export function collapseResult(message: ChatMessage): ChatMessage {
  if (message.role !== 'tool' || message.name === loadSkillName) return message;
  const known = lines.get(message);
  if (known !== undefined) return known;
  const [status = ''] = /^\[[a-z-]+\] /.exec(message.text) ?? [];
  const text = `${status}This result was ${String(message.text.length)} characters long and is left out here to save room.`;
  const collapsed = text.length < message.text.length ? { ...message, text } : message;
  lines.set(message, collapsed);
  return collapsed;
}
