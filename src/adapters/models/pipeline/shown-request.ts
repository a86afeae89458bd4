import type { ChatMessage, ModelRequest } from '../../../core/ports/chat-model.ts';
import type { ProviderExtras } from '../../../core/ports/provider-extras.ts';
import type { PipelineMessage, PipelineRequest } from '../../../plugin-api/pipeline.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { callsOf, shownCalls } from './shown-calls.ts';
import { WrongShape } from '../wrong-shape.ts';

/** The key of a reply's extras on the message that a plugin gets. A copy of that message has it, too. */
const extrasKey = Symbol('extras');

/** The key of the whole request on the object that a plugin gets. A copy of that object has it, too. */
const whole = Symbol('whole request');

/**
 * The form of messages that plugins see, and the way back to the originals. A message that a plugin leaves unchanged keeps its identity, by
 * which models cache their work.
 */
const shownOf = new WeakMap<ChatMessage, PipelineMessage>();
const originalOf = new WeakMap<object, ChatMessage>();

/** A request in the form that a plugin gets. */
export function shownRequest(request: ModelRequest): PipelineRequest {
  const { instructions, messages, tools, toolChoice, signal } = request;
  const shown = { instructions, messages: Object.freeze(messages.map(shownMessage)), tools, toolChoice, signal };
  return Object.freeze({ ...shown, [whole]: request });
}

/** A request that a plugin hands on, and the original request. */
interface HandedOn {
  readonly first: ModelRequest;
  readonly request: ModelRequest;
}

/**
 * Reads the request that a plugin hands on.
 * @throws TypeError that says what is wrong with it.
 */
export function handedOn(given: unknown): HandedOn {
  if (!hasMembers(given) || !(whole in given)) {
    throw new WrongShape('the request must be the one that run was called with, or a copy of it: { ...request, … }');
  }
  const first = given[whole] as ModelRequest; // only `shownRequest` knows the symbol
  const { instructions, messages, tools, toolChoice, signal } = given;
  if (typeof instructions !== 'string') throw new WrongShape('instructions must be text');
  if (!Array.isArray(messages)) throw new WrongShape('messages must be a list');
  if (toolChoice !== 'auto' && toolChoice !== 'none' && toolChoice !== 'required')
    throw new WrongShape('toolChoice must be auto, none or required');
  const request: ModelRequest = {
    ...first,
    instructions,
    messages: messages.map(messageOf),
    tools: toolsOf(tools, first),
    toolChoice,
    signal: signalOf(signal, first),
  };
  return { first, request };
}

/** A message without its origin and the marks of providers, which stay in the server. */
function shownMessage(message: ChatMessage): PipelineMessage {
  const known = shownOf.get(message);
  if (known !== undefined) return known;
  const shown = Object.freeze(copyOf(message));
  shownOf.set(message, shown);
  originalOf.set(shown, message);
  return shown;
}

function copyOf(message: ChatMessage): PipelineMessage {
  const { role, text } = message;
  switch (role) {
    case 'user':
      return { role, text, ...(message.images === undefined ? {} : { images: message.images }) };
    case 'assistant':
      return {
        role,
        text,
        toolCalls: shownCalls(message.toolCalls),
        ...(message.extras === undefined ? {} : { [extrasKey]: message.extras }),
      };
    case 'tool':
      return { role, text, callId: message.callId, name: message.name };
  }
}

/** A message that a plugin has written itself counts as the operator's. */
function messageOf(given: unknown): ChatMessage {
  const known = typeof given === 'object' && given !== null ? originalOf.get(given) : undefined;
  if (known !== undefined) return known;
  if (!hasMembers(given) || typeof given['text'] !== 'string') throw new WrongShape('a message must have a text');
  const { role, text } = given;
  switch (role) {
    case 'user': {
      const { images } = given;
      if (images !== undefined && !Array.isArray(images)) throw new WrongShape('images must be a list');
      // The plugin is responsible for their types, because only the model reads them.
      return { role, text, origin: 'operator', ...(images === undefined ? {} : { images }) };
    }
    case 'assistant': {
      const extras = extrasKey in given ? { extras: given[extrasKey] as ProviderExtras } : {}; // only `copyOf` knows the symbol
      return { role, text, toolCalls: callsOf(given['toolCalls']), origin: 'model', ...extras };
    }
    case 'tool': {
      const { callId, name } = given;
      if (typeof callId !== 'string' || typeof name !== 'string')
        throw new WrongShape('a result has a callId and a name');
      return { role, text, callId, name, origin: 'operator' };
    }
    default:
      throw new WrongShape('the role of a message must be user, assistant or tool');
  }
}

function toolsOf(tools: unknown, first: ModelRequest): ModelRequest['tools'] {
  if (tools === first.tools) return first.tools;
  if (!Array.isArray(tools)) throw new WrongShape('tools must be a list');
  return tools.map((tool: unknown) => {
    const { name, description, parameters } = hasMembers(tool) ? tool : ({} as Members); // a value without members has none of the three
    if (typeof name !== 'string' || typeof description !== 'string' || !hasMembers(parameters)) {
      throw new WrongShape('a tool must have a name, a description and parameters');
    }
    return { name, description, parameters };
  });
}

/** A plugin may end a call earlier than its turn, never later. */
function signalOf(signal: unknown, first: ModelRequest): AbortSignal {
  if (signal === first.signal) return first.signal;
  if (!(signal instanceof AbortSignal)) throw new WrongShape('signal must be an AbortSignal');
  return AbortSignal.any([first.signal, signal]);
}
