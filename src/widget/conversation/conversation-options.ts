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
  /** Read at each message. */
  readonly page: () => PageContext | undefined;
  /** What the page can do for the assistant; offered with each message and on each new connection. */
  readonly actions: PageActions;
  readonly isDemo: boolean;
  readonly listener: ConversationListener;
}

export interface ConversationListener {
  /** `event` is what caused the change, when it was an event of the running turn; `isNews` unless an earlier page told it. */
  readonly onChange: (state: ConversationState, event: TurnHubEvent | null, isNews: boolean) => void;
  /** What the page before has left stands there. */
  readonly onPutBack: () => void;
  /** What is written and was sent is a former user's. */
  readonly onOtherUser: () => void;
  /** The server did not take the message: it goes back to where it was written. */
  readonly onReturned: (message: UserMessage) => void;
  /** The server did not take what the page offers, and says why. */
  readonly onOfferRefused: (message: string) => void;
}
