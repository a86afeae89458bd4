import type { ConnectionHubEvents, UiActionRequested } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../conversation/apply-event.ts';

/** The hub as the conversation needs it (contract/hub.md). */
export interface HubLink {
  /**
   * Connects unless that is done already; a connection that is being restored is tried for at once, as long as it takes.
   * Rejects with a `HubRefusal` or after a few failed attempts.
   */
  connect(): Promise<void>;
  readonly isConnected: boolean;
  invoke(method: string, ...values: readonly unknown[]): Promise<unknown>;
  /** Makes sure that what is sent next is sent as the user whom the page has now. Never rejects. */
  checkUser(): Promise<void>;
  stop(): Promise<void>;
}

export interface HubListener {
  readonly onTurnEvent: (event: TurnHubEvent) => void;
  /** Resolves to what the page answers. */
  readonly onUiAction: (request: UiActionRequested) => Promise<unknown>;
  /** `subject` is whom the page's token is about, as far as a page can see; empty without one. */
  readonly onConnected: (fields: ConnectionHubEvents['Connected'], subject: string) => void;
  readonly onConnecting: () => void;
  readonly onReconnecting: () => void;
  /** Another connection has taken the place of the lost one. */
  readonly onReconnected: () => void;
  /** The same connection goes on, and nothing was lost. */
  readonly onRestored: () => void;
  /** The connection is over and does not come back by itself; `refused` says that the server knows no user by its token. */
  readonly onClosed: (refused: 'signed-out' | null) => void;
  /** Somebody else uses the page now (contract/widget.md#who-is-signed-in): told before the connection of that user, or in place of one. */
  readonly onOtherUser: () => void;
}

/** The server answered and said no: trying again by itself does not help. */
export class HubRefusal extends Error {
  override readonly name = 'HubRefusal';
  readonly type: 'signed-out' | 'forbidden';

  constructor(type: HubRefusal['type'], cause: unknown) {
    super(type, { cause });
    this.type = type;
  }
}
