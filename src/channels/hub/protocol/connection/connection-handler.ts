import type { FastifyRequest } from 'fastify';
import type { ClientMessage } from '../codec/client-message.ts';
import type { Ending } from './ending.ts';

/** Takes what a connection brings once its handshake is done. */
export interface ConnectionHandler {
  receive(message: ClientMessage): void;
  /** The caller has shown a new credential with `request`. */
  renewed?(request: FastifyRequest): void;
  /** The client is back over another socket. */
  cameBack?(): void;
  /** Called once. Nothing can be sent any more. */
  ended(ending: Ending): void;
}
