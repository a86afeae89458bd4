import type { HubCodec } from '../codec/hub-codec.ts';
import type { MessageReader } from '../codec/message-reader.ts';

/** The phase of a connection. `closing`: the connection has ended, but its socket is still there and is cut at `cutAt`. */
export type ConnectionPhase =
  | { readonly name: 'handshake'; readonly openedAt: number }
  | OpenPhase
  | { readonly name: 'closing'; readonly cutAt: number }
  | { readonly name: 'closed' };

/** The handshake is done. */
export interface OpenPhase {
  readonly name: 'open';
  readonly codec: HubCodec;
  readonly messages: MessageReader;
}
