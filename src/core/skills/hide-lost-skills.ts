import type { ChatMessage, ModelToolCall } from '../ports/chat-model.ts';
import { loadSkillName, readSkillResourceName } from '../tools/tool-name.ts';

const note = 'What stood here belongs to a skill that this user may not use any more: do not go by it.';

/** The note of each result. A result always gets the same note object, so that adapters and counters can cache by it. */
const notes = new WeakMap<ChatMessage, ChatMessage>();

/**
 * An earlier conversation in which one line replaces each text of a skill that is not offered any more (contract/skills.md#access). A user
 * who has lost a role can continue the conversation, but without the skills of that role.
 */
export function hideLostSkills(
  messages: readonly ChatMessage[],
  isOffered: (skill: string) => boolean,
): readonly ChatMessage[] {
  if (!messages.some(isOfSkill)) return messages;
  const loaded = new Map<string, string | undefined>();
  return messages.map((message) => {
    if (message.role === 'assistant') for (const call of message.toolCalls) loaded.set(call.id, skillOf(call));
    if (message.role !== 'tool' || !isOfSkill(message)) return message;
    const skill = loaded.get(message.callId);
    return skill !== undefined && isOffered(skill) ? message : notedFor(message);
  });
}

function isOfSkill(message: ChatMessage): boolean {
  return message.role === 'tool' && (message.name === loadSkillName || message.name === readSkillResourceName);
}

function notedFor(message: ChatMessage): ChatMessage {
  const [status = ''] = /^\[[a-z-]+\] /.exec(message.text) ?? [];
  const noted = notes.get(message) ?? { ...message, text: `${status}${note}` };
  notes.set(message, noted);
  return noted;
}

/** The skill that a call names. Undefined when the arguments, which a model has written, name none. */
function skillOf(call: ModelToolCall): string | undefined {
  try {
    const given: unknown = JSON.parse(call.arguments);
    if (typeof given !== 'object' || given === null || !('skillName' in given)) return undefined;
    return typeof given.skillName === 'string' ? given.skillName : undefined;
  } catch {
    return undefined;
  }
}
