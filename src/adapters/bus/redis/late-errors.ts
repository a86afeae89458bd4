import { EventEmitter } from 'node:events';
import { AbstractConnector } from 'ioredis';

let isDone = false;

/**
 * Makes the connections of ioredis bear errors that come after their end. ioredis listens to one error of a socket. A socket that is ended
 * while it agrees on TLS may tell two: the certificate is refused, and then the server complains. Nobody would hear the second one, and an
 * error that nobody hears ends the process.
 */
export function bearLateErrors(): void {
  if (isDone) return;
  isDone = true;
  const { prototype } = AbstractConnector;
  const end: unknown = Reflect.get(prototype, 'disconnect');
  if (typeof end !== 'function') return;
  // Every end of a connection passes here, also where ioredis ends one by itself.
  prototype.disconnect = function disconnect(this: AbstractConnector): void {
    // The types keep the socket to the class. There is none before the first attempt.
    const socket: unknown = Reflect.get(this, 'stream');
    if (socket instanceof EventEmitter) socket.on('error', () => undefined);
    Reflect.apply(end, this, []);
  };
}
