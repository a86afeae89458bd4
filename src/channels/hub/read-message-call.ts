import { wellFormedTrace } from '../shared/trace-context.ts';
import type { ReadMessage } from '../shared/read-message.ts';
import type { HubCall } from './protocol/hub-application.ts';
import { readMessageArguments } from './read-arguments.ts';

/** Reads the message and the trace context of a call, and releases the arguments. @throws as `readMessageArguments` */
export function readMessageCall(call: HubCall): ReadMessage {
  const { message, options } = readMessageArguments(call.arguments);
  call.forgetArguments();
  return { message, options: { ...options, traceparent: wellFormedTrace(call.traceparent) } };
}
