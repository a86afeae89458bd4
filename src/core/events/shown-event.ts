import type { TurnEvent } from './turn-event.ts';

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

/** That a turn was stopped. Whatever else it was is told by an `error-occurred`. */
export interface StoppedEvent {
  readonly type: 'turn-completed';
  readonly status: 'stopped';
}

/**
 * What a conversation keeps beside its messages. `seq` tells which of calls side by side was shown first; version 1.0 and
 * what was kept before it was do without.
 */
export type KeptEvent = (ShownEvent | StoppedEvent) & { readonly seq?: number };

/** Whether this is an event that a conversation keeps; its fields are those that this server has told. */
export function isShownEvent(event: unknown): event is ShownEvent {
  if (typeof event !== 'object' || event === null || !('type' in event)) return false;
  return shownTypes.some((type) => type === event.type);
}

/** The same, with how a turn was kept to have ended. */
export function isKeptEvent(event: unknown): event is KeptEvent {
  return isShownEvent(event) || isStopped(event);
}

function isStopped(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'turn-completed';
}
