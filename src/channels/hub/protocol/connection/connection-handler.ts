import type { FastifyRequest } from 'fastify';
import type { ClientMessage } from '../codec/client-message.ts';
import type { Ending } from './ending.ts';

/** Gets the messages and the events of a connection after its handshake. */
export interface ConnectionHandler {
  receive(message: ClientMessage): void;
  /** Called when the caller has shown a new credential with `request`. */
  renewed?(request: FastifyRequest): void;
  /** Called when the client is back over another socket. */
  cameBack?(): void;
  /** Called once, when the connection has ended. Nothing can be sent after that. */
  ended(ending: Ending): void;
}
