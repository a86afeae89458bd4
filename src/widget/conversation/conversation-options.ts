import type { ClientSettings } from '../../wire/client-settings.ts';
import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { PageContext } from '../../wire/hub-methods.ts';
import type { ControlRequests } from '../transport/control-requests.ts';
import type { HubLink, HubListener } from '../transport/hub-port.ts';
import type { SessionRequests } from '../transport/session-requests.ts';
import type { TurnHubEvent } from './apply-event.ts';
import type { ConversationState, UserMessage } from './conversation-state.ts';
import type { PageActions } from './page-actions.ts';

export interface ConversationOptions {
  readonly connect: (listener: HubListener) => HubLink;
  readonly control: ControlRequests;
  readonly sessions: SessionRequests;
  /** The page's context, read at each message. */
  readonly page: () => PageContext | undefined;
  /** The language of the widget's texts, read at each message. */
  readonly locale: () => string;
  /** What the page can do for the assistant. The widget offers it with each message and on each new connection. */
  readonly actions: PageActions;
  readonly settings: Pick<
    ClientSettings,
    | 'demo'
    | 'showsHostedTools'
    | 'showsRemoteAgents'
    | 'expectedAgents'
    | 'showsMcpServers'
    | 'expectedServers'
    | 'expectedTools'
    | 'hidesSources'
  >;
  readonly listener: ConversationListener;
}

export interface ConversationListener {
  /**
   * `event` is the event of the running turn that caused the change, if one did. `isNews` is false for an event that an earlier page has
   * shown.
   */
  readonly onChange: (state: ConversationState, event: TurnHubEvent | null, isNews: boolean) => void;
  /** A connection stands, and the server has named its user. */
  readonly onConnected?: (fields: ConnectionHubEvents['Connected']) => void;
  /** The conversation of the page before is restored. */
  readonly onPutBack: () => void;
  /** Another user uses the page now. The draft and the waiting messages belong to the former user. */
  readonly onOtherUser: () => void;
  /** The server refused the message. The message returns to where the user wrote it. */
  readonly onReturned: (message: UserMessage) => void;
  /** The server refused what the page offers. `message` says why. */
  readonly onOfferRefused: (message: string) => void;
}
