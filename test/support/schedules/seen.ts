import type { Execution } from './action-ledger.ts';
import type { Caller, Place, Schedule } from './steps.ts';

/** A hub event or an SSE frame as one client got it. */
export interface SeenEvent {
  readonly name: string;
  readonly turnId: string;
  readonly seq: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A question as it was first shown. */
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
  /** The user whose token the request carried. */
  readonly by: Exclude<Caller, 'owner'>;
  readonly sentAt: number;
  /** Undefined: the line or the server was gone before an answer came. */
  status?: number;
  /** Nothing can have ended the question before, so the owner's valid answer must have been taken. */
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

/** A message, and what became known about its turn. */
export interface SeenTurn {
  readonly turnId: string;
  readonly place: Place;
  readonly user: 'ann' | 'anonymous';
}

/** One row of the journal at the end of the schedule. */
export interface JournalledQuestion {
  readonly actionId: string;
  readonly callId: string;
  readonly turnId: string;
  readonly state: string;
  readonly answer: string | null;
  readonly outcome: string | null;
}

/** Everything that could be seen of a schedule from outside, and its journal at the end. */
export interface Seen {
  readonly schedule: Schedule;
  readonly turns: readonly SeenTurn[];
  readonly questions: readonly SeenQuestion[];
  readonly executions: readonly Execution[];
  readonly answers: readonly SentAnswer[];
  readonly stops: readonly SentStop[];
  /** All events of all clients. */
  readonly events: readonly SeenEvent[];
  /** The full events of the turns that could still be read at the end. */
  readonly logs: ReadonlyMap<string, readonly SeenEvent[]>;
  readonly journal: readonly JournalledQuestion[];
  readonly crashes: number;
  /** Problems while the schedule was played: an answer that never came, or a server that did not end. */
  readonly stuck: readonly string[];
}
