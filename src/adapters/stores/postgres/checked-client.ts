import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { ServerMessages } from './server-messages.ts';

/** What pg does not declare: how a client begins to read its connection, whether plain or with TLS. */
interface ReadingClient {
  readonly connection: { attachListeners: (stream: EventEmitter) => void };
}

/**
 * A client of PostgreSQL that closes its connection when something comes that is no message of PostgreSQL, as from a proxy that fails. The
 * client of pg would search in it for ever, throw where nobody catches it, or take it for an answer.
 */
export class CheckedClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const { connection } = this as unknown as ReadingClient; // the tests see each kind of nonsense end its connection
    const attachListeners = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      attachListeners(checked(stream as Socket, config?.query_timeout ?? 0)); // every stream of pg is a socket
    };
  }
}

/** Passes on the messages of a stream, one at a time. A message whose rest does not come for `restMs` is none. */
function checked(stream: Socket, restMs: number): EventEmitter {
  const passed = new EventEmitter();
  const messages = new ServerMessages();
  stream.on('data', (data: Buffer) => {
    try {
      for (const message of messages.read(data)) {
        if (stream.destroyed) return;
        passed.emit('data', message);
      }
      stream.setTimeout(messages.isInside ? restMs : 0);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  stream.on('timeout', () => stream.destroy(new Error('the rest of a message of the database did not come')));
  stream.on('end', () => passed.emit('end'));
  return passed;
}
