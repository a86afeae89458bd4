import type { SendOptions } from '../request/send-options.ts';
import type { Place } from '../limits/caller-room.ts';
import type { CurrentPage, TurnMessage } from '../request/turn-request.ts';
import { Conversation } from '../turn/conversation/conversation.ts';
import type { LiveTurn } from '../turn/live/live-turn.ts';
import type { RemoteTurn } from '../turn/live/remote-turn.ts';
import type { TurnSnapshot } from '../turn/live/turn-snapshot.ts';
import type { Turn } from '../turn/live/turn.ts';

/** A message that waits for the turn before it. */
export interface WaitingMessage {
  readonly message: TurnMessage;
  readonly options: SendOptions | undefined;
  readonly resolve: (turn: Turn) => void;
  /** The bytes that the message holds while it waits. */
  readonly place: Place;
}

/**
 * All that belongs to the conversation of a session. Another session can take over the whole of it (contract/hub.md#when-the-line-breaks,
 * `Resume`).
 */
export class LiveConversation<Session extends object> {
  transcript = new Conversation();
  page: CurrentPage | undefined;
  active: LiveTurn | RemoteTurn | undefined;
  waiting: WaitingMessage[] = [];
  /**
   * What the last turn waited for when it was stopped. Kept until the next message, which answers the open calls as not
   * run.
   */
  stoppedWaiting: TurnSnapshot | undefined;
  /** The session that has the conversation now. */
  session: Session;

  constructor(session: Session) {
    this.session = session;
  }
}
