import type { RefusalReason } from '../errors/error-codes.ts';
import type { OwnerFault } from '../errors/error-codes.ts';

/** A credential or a caller that was not let in. */
export interface DoorRefusal {
  readonly what: 'authentication_failed' | 'entry_refused' | 'origin_refused' | 'rate_limited';
  readonly reason: RefusalReason;
}

/** A caller asked for something that belongs to another user (contract/operations.md#logs). */
export interface OwnerRefusal {
  readonly what:
    'approve_refused' | 'cancel_refused' | 'session_refused' | 'resume_refused' | 'memory_refused' | 'feedback_refused';
  readonly reason: OwnerFault;
}

/** A user, or a rule in the user's place, has decided about a call. */
interface CallDecision {
  readonly what: 'approved' | 'declined';
  readonly reason: 'user' | 'rule';
}

/** A question that ended without an answer. */
type UnansweredCall =
  | { readonly what: 'expired'; readonly reason: 'system' }
  | { readonly what: 'cancelled'; readonly reason: 'user' | 'system' };

/** The facts by which a line of the security log is counted. */
export type SecuritySeries = DoorRefusal | OwnerRefusal | CallDecision | UnansweredCall;

/** One line of the security log. It holds ids and names alone: no credential, no argument, no word of a user. */
export type SecurityEvent = SecuritySeries & {
  /** A user key, or the keyed hash of an address. */
  readonly who: string;
  /** The method and the route, without a query. */
  readonly request?: string;
  readonly requestId?: string | undefined;
  readonly session?: string;
  readonly turnId?: string;
  readonly conversationId?: string;
  readonly actionId?: string;
  readonly callId?: string;
  /** The tool name. */
  readonly action?: string;
  /** How many refusals of this kind were counted and not written since the last line of the kind. */
  readonly leftOut?: number;
};
