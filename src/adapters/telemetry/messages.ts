import type { ChatMessage, ModelReply, ModelRequest, ModelToolCall } from '../../core/ports/chat-model.ts';
import { saysOfUsers } from './gen-ai.ts';
import type { Attributes } from './attributes.ts';

/** The input of a model as JSON in the form of the conventions. Images are left out. */
export function inputAttributes({ instructions, messages, tools }: ModelRequest): Attributes {
  return (
    saysOfUsers.instructions(JSON.stringify([{ type: 'text', content: instructions }])) +
    saysOfUsers.input(JSON.stringify(messages.map(inputMessage))) +
    saysOfUsers.tools(JSON.stringify(tools.map((tool) => ({ type: 'function', ...tool }))))
  );
}

/** The output of a model. */
export function outputAttributes({ text, toolCalls, finish }: ModelReply): Attributes {
  const said = { role: 'assistant', parts: saidParts(text, toolCalls), finish_reason: finish.replaceAll('-', '_') };
  return saysOfUsers.output(JSON.stringify([said]));
}

function inputMessage(message: ChatMessage): object {
  const { role } = message;
  switch (role) {
    case 'user':
      return { role, parts: [{ type: 'text', content: message.text }] };
    case 'assistant':
      return { role, parts: saidParts(message.text, message.toolCalls) };
    case 'tool':
      return { role, parts: [{ type: 'tool_call_response', id: message.callId, response: message.text }] };
  }
}

function saidParts(text: string, calls: readonly ModelToolCall[]): readonly object[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...calls.map(({ id, name, arguments: written }) => ({ type: 'tool_call', id, name, arguments: written })),
  ];
}
