import type { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';

/** What an answer is known by. */
export type Answer = Pick<FastifyReply, 'raw' | 'request'>;

/** Of HTTP/2, which a host of this server may speak. There a response does not say itself that it is destroyed. */
interface StreamedResponse {
  readonly stream?: { readonly destroyed: boolean };
}

/** Whether nobody reads an answer any more: it was read, or its client has gone. */
export function isOver({ raw, request }: Answer): boolean {
  const { stream } = raw as StreamedResponse; // of HTTP/1 it has none
  if (stream !== undefined) return stream.destroyed;
  // A response that waits behind another one of its socket is not destroyed with that socket.
  return raw.destroyed || request.raw.socket.destroyed;
}

/** Whether an answer that is not over waits behind another one of its socket: its client cannot read it yet. */
export function isBehind({ socket }: Pick<Answer['raw'], 'socket'>): boolean {
  return socket === null;
}

/** Cuts an answer. Of one that waits behind another one Node would never end, and its client would wait for ever: their socket is cut. */
export function cut({ raw, request }: Answer): void {
  if (isBehind(raw) && !raw.writableFinished) request.raw.socket.destroy();
  else raw.destroy();
}

/** Calls the listener once nobody reads an answer any more; at once where that is so already. Returns what stops listening. */
export function onceOver(answer: Answer, listener: () => void): () => void {
  if (isOver(answer)) {
    listener();
    return () => undefined;
  }
  const { raw, request } = answer;
  const { stream } = raw as StreamedResponse; // of HTTP/1 it has none
  const socket = stream === undefined ? request.raw.socket : undefined;
  const over = (): void => {
    stop();
    listener();
  };
  const stops = [onClose(raw, over), ...(socket === undefined ? [] : [onClose(socket, over)])];
  const stop = (): void => {
    for (const stopOne of stops) stopOne();
  };
  return stop;
}

const waiting = new WeakMap<EventEmitter, Set<() => void>>();

/** One listener of an emitter calls all: a socket has many answers, and many wait for the end of each. */
function onClose(emitter: EventEmitter, listener: () => void): () => void {
  const listeners = waiting.get(emitter) ?? new Set();
  if (!waiting.has(emitter)) {
    waiting.set(emitter, listeners);
    emitter.once('close', () => {
      for (const each of listeners) each();
    });
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Aborts once nobody reads an answer any more. */
export function overSignal(answer: Answer): AbortSignal {
  const over = new AbortController();
  onceOver(answer, () => {
    over.abort();
  });
  return over.signal;
}
