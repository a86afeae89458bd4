import type { FaultPlan, PlannedCall } from './fault-plan.ts';
import type { LedgerLine } from './ledger.ts';
import type { ToldModel } from './talking-model.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A hub event or an SSE frame as one client got it, under its hub name. */
export interface ToldEvent {
  readonly name: string;
  readonly seq: number;
  readonly fields: Fields;
  /** When the event arrived, in the time of clock.ts. */
  readonly at: number;
}

/** One client that reads one turn from its beginning or from a number on. */
export interface Reading {
  readonly turnId: string;
  readonly channel: 'hub' | 'sse';
  /** The process, counted from 0. */
  readonly life: number;
  readonly afterSeq: number;
  readonly events: ToldEvent[];
  /** The server does not know the turn (null, 204), or has no more events of it. */
  isUnknown?: boolean;
  /** The reading of an earlier process that this one continues. */
  readonly goesOnFrom?: Reading;
}

/** A message, and what became known about its turn. */
export interface ToldTurn {
  readonly turnId: string;
  readonly channel: 'hub' | 'sse';
  readonly user: 'ann' | 'nobody';
  readonly life: number;
}

/** A question as it was first shown. */
export interface ToldQuestion {
  readonly actionId: string;
  readonly callId: string;
  readonly turnId: string;
  readonly call: PlannedCall;
  readonly life: number;
  readonly at: number;
}

/** The state of the disk while a request was answered. */
export type DiskState = 'works' | 'may fail' | 'fails';

/** A request about a question or a turn, and its answer. Without `status` the process ended before it answered. */
export interface ToldAnswer {
  readonly what: 'approve' | 'decline' | 'stop' | 'look';
  /** An actionId, or for a stop a turnId. */
  readonly of: string;
  readonly life: number;
  disk: DiskState;
  readonly sentAt: number;
  status?: number;
  body?: Fields;
  answeredAt?: number;
}

/** The kinds of faults that the oracle looks for. */
export const faultKinds = ['unapproved', 'doubled', 'untrue', 'untold', 'disorder', 'unavailable'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault, as a sentence. */
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

/** Everything that all processes of a plan told anybody, and everything that really ran. */
export interface Told {
  readonly plan: FaultPlan;
  readonly turns: ToldTurn[];
  readonly questions: ToldQuestion[];
  readonly readings: Reading[];
  readonly answers: ToldAnswer[];
  readonly models: ToldModel[];
  readonly lives: ToldLife[];
  /** Faults that a round itself found, such as a healthz that does not answer or a process that does not end. */
  readonly troubles: FoundFault[];
  ledger: readonly LedgerLine[];
}
