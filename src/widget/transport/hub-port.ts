import type { ConnectionHubEvents, UiActionRequested } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../chat/apply-event.ts';

/** The hub as the chat needs it (wire.md 3). */
export interface HubLink {
  /** Connects unless that is done already. Rejects with a `HubRefusal` or after a few failed attempts. */
  connect(): Promise<void>;
  readonly isConnected: boolean;
  invoke(method: string, ...values: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

export interface HubListener {
  readonly onTurnEvent: (event: TurnHubEvent) => void;
  /** Resolves to what the page answers. */
  readonly onUiAction: (request: UiActionRequested) => Promise<unknown>;
  readonly onConnected: (fields: ConnectionHubEvents['Connected']) => void;
  readonly onConnecting: () => void;
  readonly onReconnecting: () => void;
  readonly onReconnected: () => void;
  /** The connection is over and does not come back by itself. */
  readonly onClosed: () => void;
}

/** The server answered and said no: trying again does not help. */
export class HubRefusal extends Error {
  override readonly name = 'HubRefusal';
}
