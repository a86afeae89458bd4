import type { FaultPlan, PlannedCall } from './fault-plan.ts';
import type { LedgerLine } from './ledger.ts';
import type { ToldModel } from './talking-model.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A hub event or an SSE frame, as one client got it, by its hub name. */
export interface ToldEvent {
  readonly name: string;
  readonly seq: number;
  readonly fields: Fields;
  /** When it came, on the clock of clock.ts. */
  readonly at: number;
}

/** One client that reads one turn: from its beginning, or on from a number. */
export interface Reading {
  readonly turnId: string;
  readonly channel: 'hub' | 'sse';
  /** Of the process, counted from 0. */
  readonly life: number;
  readonly afterSeq: number;
  readonly events: ToldEvent[];
  /** The server knows nothing of the turn (null, 204), or nothing more is to come of it. */
  isUnknown?: boolean;
  /** The reading of an earlier process that this one goes on from. */
  readonly goesOnFrom?: Reading;
}

/** A message, and what became known of its turn. */
export interface ToldTurn {
  readonly turnId: string;
  readonly channel: 'hub' | 'sse';
  readonly user: 'ann' | 'nobody';
  readonly life: number;
}

/** A question as it was first shown to anybody. */
export interface ToldQuestion {
  readonly actionId: string;
  readonly callId: string;
  readonly turnId: string;
  readonly call: PlannedCall;
  readonly life: number;
  readonly at: number;
}

/** What the disk was like while a request was answered. */
export type DiskState = 'works' | 'may fail' | 'fails';

/** A request about a question or a turn, and what was answered. Without `status`: the process was gone before. */
export interface ToldAnswer {
  readonly what: 'approve' | 'decline' | 'stop' | 'look';
  /** An actionId; a turnId for a stop. */
  readonly of: string;
  readonly life: number;
  disk: DiskState;
  readonly sentAt: number;
  status?: number;
  body?: Fields;
  answeredAt?: number;
}

/** What the oracle looks for. */
export const faultKinds = ['unapproved', 'doubled', 'untrue', 'untold', 'disorder', 'unavailable'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Something that must not be, as a sentence. */
export interface FoundFault {
  readonly kind: FaultKind;
  readonly says: string;
}

/** How one process ended. */
export interface ToldLife {
  readonly startedAt: number;
  endedAt: number;
  readonly disturbance: 'killed' | 'ended' | 'disk' | 'lost';
}

/** All that was told by all processes of one plan to anybody, and what really ran. */
export interface Told {
  readonly plan: FaultPlan;
  readonly turns: ToldTurn[];
  readonly questions: ToldQuestion[];
  readonly readings: Reading[];
  readonly answers: ToldAnswer[];
  readonly models: ToldModel[];
  readonly lives: ToldLife[];
  /** What a round itself found wrong: a healthz that is silent, a process that does not end. */
  readonly troubles: FoundFault[];
  ledger: readonly LedgerLine[];
}
