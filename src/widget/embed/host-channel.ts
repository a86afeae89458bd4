import type { BridgeMessage } from './bridge-message.ts';

/** The way to the host around the page, and back. */
export interface HostChannel {
  post(message: BridgeMessage): void;
  /** Calls back with whatever the host sends, as it came. */
  listen(receive: (data: unknown) => void): void;
}
