import type { CitedSource, Receipt, TurnEvent, TurnStatus } from './turn-event.ts';

const shownTypes = [
  'confirmation-requested',
  'confirmation-resolved',
  'action-executing',
  'action-completed',
  'card-ready',
  'navigation-requested',
  'rag-sources-ready',
  'error-occurred',
] as const satisfies readonly TurnEvent['type'][];

/** An event as the conversation keeps it: what its user was shown beside the text (contract/confirmations.md#what-is-shown). */
export type ShownEvent = Extract<TurnEvent, { readonly type: (typeof shownTypes)[number] }>;

/** How a turn ended: kept where it was stopped, and where it has receipts. Why it failed is told by an `error-occurred`. */
export interface KeptEnd {
  readonly type: 'turn-completed';
  readonly status: TurnStatus;
  readonly receipts?: readonly Receipt[];
}

/** Who may read something: any one of the roles suffices, and the tenant fits a glob. Left out, everybody may. */
export interface Restriction {
  readonly requiredRoles?: readonly string[];
  readonly tenants?: readonly string[];
}

/** A source as turns and conversations keep it: with who may read it, which no client is told. */
export interface KeptSource extends CitedSource {
  /**
   * A reader must be let in by each of these. Left out, everybody may read it. Sources of earlier versions say nothing of their
   * readers: they stay readable for the user of their conversation.
   */
  readonly access?: readonly Restriction[];
}

/** The documents that a reply goes by, as they are kept. */
interface KeptSources {
  readonly type: 'rag-sources-ready';
  readonly sources: readonly KeptSource[];
}

/**
 * What a conversation keeps beside its messages. `seq` tells which of calls side by side was shown first; version 1.0 and
 * what was kept before it was do without.
 */
export type KeptEvent = (Exclude<ShownEvent, { readonly type: 'rag-sources-ready' }> | KeptSources | KeptEnd) & {
  readonly seq?: number;
};

/** Whether this is an event that a conversation keeps; its fields are those that this server has told. */
export function isShownEvent(event: unknown): event is ShownEvent {
  if (typeof event !== 'object' || event === null || !('type' in event)) return false;
  return shownTypes.some((type) => type === event.type);
}

/** The same, with how a turn was kept to have ended. */
export function isKeptEvent(event: unknown): event is KeptEvent {
  return isShownEvent(event) || isEnd(event);
}

function isEnd(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'turn-completed';
}
