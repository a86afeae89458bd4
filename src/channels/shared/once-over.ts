import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a response has in HTTP/1 and in HTTP/2, where a host of this server speaks that. */
interface AnyResponse {
  /** Of HTTP/2 alone, where a response does not say itself that it is destroyed. */
  readonly stream?: { readonly destroyed: boolean };
  readonly req?: { readonly socket?: Socket };
}

/** Whether nobody reads an answer any more: it was read, or its client has gone. */
export function isOver(response: ServerResponse): boolean {
  const { stream, req } = response as AnyResponse;
  if (stream !== undefined) return stream.destroyed;
  // A response that waits behind another one of its socket is not destroyed with that socket.
  return response.destroyed || req?.socket?.destroyed === true;
}

/** Calls the listener once nobody reads an answer any more; at once where that is so already. */
export function onceOver(response: ServerResponse, listener: () => void): void {
  if (isOver(response)) {
    listener();
    return;
  }
  const { stream, req } = response as AnyResponse;
  const socket = stream === undefined ? req?.socket : undefined;
  const over = (): void => {
    response.off('close', over);
    socket?.off('close', over);
    listener();
  };
  response.once('close', over);
  socket?.once('close', over);
}
