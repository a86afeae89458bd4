import type { Principal } from '../identity/principal.ts';
import type { CallerRoom } from '../limits/caller-room.ts';
import type { AttachmentIntake } from '../limits/take-attachments.ts';
import type { ChannelTraits } from '../request/turn-request.ts';
import type { UiActions } from '../request/ui-actions.ts';
import type { LiveTurn } from '../turn/live/live-turn.ts';
import type { Turn } from '../turn/live/turn.ts';
import type { TurnStart } from '../turn/start-turn.ts';

/** Starts a turn of a session. */
export type StartSessionTurn = (start: TurnStart) => LiveTurn;

/** What a session is made of. */
export interface LiveSessionOptions<Session> {
  readonly id: string;
  readonly principal: Principal;
  readonly channel: ChannelTraits;
  readonly authorization?: string | undefined;
  readonly credential?: string | undefined;
  /** The key by which an anonymous caller is counted. */
  readonly address?: string | undefined;
  readonly uiActions?: Pick<UiActions, 'offered'> | undefined;
  readonly startTurn: StartSessionTurn;
  /** Counts the bytes of the messages that wait. */
  readonly queueRoom: CallerRoom;
  readonly attachments: AttachmentIntake;
  readonly onCopy?: ((turn: Turn) => void) | undefined;
  /** Whether no turn may begin any more. A conversation that is restored at such a time would be lost. */
  readonly isDraining: () => boolean;
  readonly onClosed: (session: Session) => void;
}
