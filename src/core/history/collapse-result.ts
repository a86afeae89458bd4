import type { ChatMessage } from '../ports/chat-model.ts';
import { loadSkillName } from '../tools/tool-name.ts';

/** Each result always collapses to the same message object, so that adapters and counts keep what they know of that object. */
const lines = new WeakMap<ChatMessage, ChatMessage>();

/**
 * Replaces the result of a tool with one line that says that the result was left out. The status of the result stays. No word of the result
 * is kept, because half a result could pass for a whole one. A result that is no longer than the line stays as it is. Other messages stay
 * too, and so do the instructions of a skill, because the rest of the conversation follows them.
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
