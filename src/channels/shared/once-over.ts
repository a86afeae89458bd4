import type { FastifyReply } from 'fastify';

type Answer = Pick<FastifyReply, 'raw' | 'request'>;

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

/** Calls the listener once nobody reads an answer any more; at once where that is so already. */
export function onceOver(answer: Answer, listener: () => void): void {
  if (isOver(answer)) {
    listener();
    return;
  }
  const { raw, request } = answer;
  const { stream } = raw as StreamedResponse; // of HTTP/1 it has none
  const socket = stream === undefined ? request.raw.socket : undefined;
  const over = (): void => {
    raw.off('close', over);
    socket?.off('close', over);
    listener();
  };
  raw.once('close', over);
  socket?.once('close', over);
}
