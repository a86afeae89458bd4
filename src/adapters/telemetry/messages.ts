import type { Attributes } from '@opentelemetry/api';
import type { ChatMessage, ModelReply, ModelRequest, ModelToolCall } from '../../core/ports/chat-model.ts';
import { sensitive } from './gen-ai.ts';

/** What a model is given, as JSON in the shape of the conventions. Images are left out. */
export function inputAttributes({ instructions, messages, tools }: ModelRequest): Attributes {
  return {
    [sensitive.instructions]: JSON.stringify([{ type: 'text', content: instructions }]),
    [sensitive.input]: JSON.stringify(messages.map(inputMessage)),
    [sensitive.tools]: JSON.stringify(tools.map((tool) => ({ type: 'function', ...tool }))),
  };
}

/** What a model says. */
export function outputAttributes({ text, toolCalls, finish }: ModelReply): Attributes {
  const said = { role: 'assistant', parts: saidParts(text, toolCalls), finish_reason: finish.replaceAll('-', '_') };
  return { [sensitive.output]: JSON.stringify([said]) };
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
