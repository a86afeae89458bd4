import type { Crowding } from '../codec/crowding.ts';
import type { HubLog } from '../hub-limits.ts';
import type { HubTransport } from '../hub-transport.ts';
import type { TakeArrivalRoom } from './arrival.ts';
import type { CloseReasonsOptions } from './close-reasons.ts';
import type { ConnectionHandler } from './connection-handler.ts';
import type { Schedule } from './outbox.ts';

/** The parts that one connection is built from. */
export interface HubConnectionParts<Connection> extends CloseReasonsOptions {
  readonly id: string;
  readonly transport: HubTransport;
  /** Stateful reconnect was negotiated; the client's handshake has to ask for it as well. */
  readonly stateful?: boolean;
  /** Default: there is always room. */
  readonly takeArrivalRoom?: TakeArrivalRoom;
  /** Default: a message may be as wide as it is long. */
  readonly crowding?: Crowding | undefined;
  readonly log: HubLog;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
  readonly schedule: Schedule;
  /** Called when the handshake was accepted and answered. */
  readonly onOpen: (connection: Connection) => ConnectionHandler;
  /** Called once, when the transport is gone. */
  readonly onClosed: () => void;
}
