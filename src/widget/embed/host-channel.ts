import type { BridgeMessage } from './bridge-message.ts';

/** Carries messages between the page and the host around it. */
export interface HostChannel {
  post(message: BridgeMessage): void;
  /** Calls `receive` with every message of the host, unchecked. */
  listen(receive: (data: unknown) => void): void;
}
