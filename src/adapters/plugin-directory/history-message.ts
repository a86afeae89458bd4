import type { ChatMessage } from '../../core/ports/chat-model.ts';
import type { HistoryMessage } from '../../plugin-api/history.ts';

/** A frozen message in the form that plugins see. Images and origins stay in the server. */
export function historyMessage(message: ChatMessage): HistoryMessage {
  const { role, text } = message;
  switch (role) {
    case 'user':
      return Object.freeze({ role, text });
    case 'assistant':
      return Object.freeze({
        role,
        text,
        toolCalls: Object.freeze(message.toolCalls.map((call) => Object.freeze({ ...call }))),
      });
    case 'tool':
      return Object.freeze({ role, text, callId: message.callId, name: message.name });
  }
}
