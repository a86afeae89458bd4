import type { Execution } from './action-ledger.ts';
import type { Caller, Place, Schedule } from './steps.ts';

/** A hub event or an SSE frame, as one client got it. */
export interface SeenEvent {
  readonly name: string;
  readonly turnId: string;
  readonly seq: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A question as it was first shown to anybody. */
export interface SeenQuestion {
  readonly actionId: string;
  readonly callId: string;
  readonly turnId: string;
  readonly action: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly canRemember: boolean;
  readonly editable: boolean;
}

/** One `POST /helper/approve`. */
export interface SentAnswer {
  readonly actionId: string;
  readonly approved: boolean;
  readonly remember: boolean;
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** Whose token it carried. */
  readonly by: Exclude<Caller, 'owner'>;
  readonly sentAt: number;
  /** Undefined: no answer came, since the line or the server was gone. */
  status?: number;
  /** Nothing can have ended the question before: the owner's sound answer must have been taken. */
  mustBeTaken?: boolean;
}

/** One `POST /helper/cancel`. */
export interface SentStop {
  readonly turnId: string | undefined;
  readonly sentAt: number;
  /** Undefined: no answer came. */
  stopped?: boolean;
  answeredAt?: number;
}

/** A message, and what became known of its turn. */
export interface SeenTurn {
  readonly turnId: string;
  readonly place: Place;
  readonly user: 'ann' | 'anonymous';
}

/** One row of the journal when all was over. */
export interface JournalledQuestion {
  readonly actionId: string;
  readonly callId: string;
  readonly turnId: string;
  readonly state: string;
  readonly answer: string | null;
  readonly outcome: string | null;
}

/** Everything that could be seen of a schedule from outside, and the journal at its end. */
export interface Seen {
  readonly schedule: Schedule;
  readonly turns: readonly SeenTurn[];
  readonly questions: readonly SeenQuestion[];
  readonly executions: readonly Execution[];
  readonly answers: readonly SentAnswer[];
  readonly stops: readonly SentStop[];
  /** All events of all clients. */
  readonly events: readonly SeenEvent[];
  /** Of the turns that could still be read at the end: all their events from the first on. */
  readonly logs: ReadonlyMap<string, readonly SeenEvent[]>;
  readonly journal: readonly JournalledQuestion[];
  readonly crashes: number;
  /** What went wrong while it was played: an answer that never came, a server that did not end. */
  readonly stuck: readonly string[];
}
