import type { ConnectionHubEvents, UiActionRequested } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../conversation/apply-event.ts';

/** The events of a connection that tell of what stands behind the assistant. Each has one member, a list. */
export const statusEventNames = [
  'HostedToolsReady',
  'RemoteAgentStatusChanged',
  'McpStatusChanged',
] as const satisfies (keyof ConnectionHubEvents)[];

/** The part of the hub that the conversation needs (contract/hub.md). */
export interface HubLink {
  /**
   * Connects unless there is a connection. If a connection is being restored, the next attempt is made at once, and the promise waits until
   * the connection is restored. Rejects with a `HubRefusal`, or after a few failed attempts.
   */
  connect(): Promise<void>;
  readonly isConnected: boolean;
  invoke(method: string, ...values: readonly unknown[]): Promise<unknown>;
  /** Makes sure that the next message is sent as the page's current user. Never rejects. */
  checkUser(): Promise<void>;
  stop(): Promise<void>;
}

export interface HubListener {
  readonly onTurnEvent: (event: TurnHubEvent) => void;
  /** The promise resolves to the page's answer. */
  readonly onUiAction: (request: UiActionRequested) => Promise<unknown>;
  /** `subject` is the subject of the page's token, as far as the page can read it. Empty without a token. */
  readonly onConnected: (fields: ConnectionHubEvents['Connected'], subject: string) => void;
  /** The server tells of what stands behind the assistant. Follows `onConnected`. */
  readonly onStatus: (told: ConnectionHubEvents[(typeof statusEventNames)[number]]) => void;
  /** Whether the user waits for something that comes over the connection. */
  readonly isAwaiting: () => boolean;
  readonly onConnecting: () => void;
  readonly onReconnecting: () => void;
  /** Another connection has replaced the lost one. */
  readonly onReconnected: () => void;
  /** The same connection continues, and nothing was lost. */
  readonly onRestored: () => void;
  /** The connection has ended and does not return by itself. `refused` says that the server accepts no user by this token. */
  readonly onClosed: (refused: 'signed-out' | null) => void;
  /** Another user uses the page now (contract/widget.md#who-is-signed-in). Called before that user's connection opens, or instead of it. */
  readonly onOtherUser: () => void;
}

/** The server refused, so trying again without a change does not help. */
export class HubRefusal extends Error {
  override readonly name = 'HubRefusal';
  readonly type: 'signed-out' | 'forbidden';

  constructor(type: HubRefusal['type'], cause: unknown) {
    super(type, { cause });
    this.type = type;
  }
}
