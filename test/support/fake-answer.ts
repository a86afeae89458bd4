import { EventEmitter } from 'node:events';
import type { Answer } from '../../src/channels/shared/once-over.ts';

/** An answer over HTTP/1 with this response, as far as anything asks who reads it. */
export function fakeAnswer(response: EventEmitter): Answer {
  return { raw: response, request: { raw: { socket: new EventEmitter() } } } as unknown as Answer; // the members that are used
}
