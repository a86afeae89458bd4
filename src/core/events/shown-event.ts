import type { TurnEvent } from './turn-event.ts';

const shownTypes = [
  'confirmation-requested',
  'confirmation-resolved',
  'action-executing',
  'action-completed',
  'card-ready',
  'navigation-requested',
  'error-occurred',
] as const satisfies readonly TurnEvent['type'][];

/** An event of a call as the conversation keeps it: what its user was shown beside the text (contract/confirmations.md#what-is-shown). */
export type ShownEvent = Extract<TurnEvent, { readonly type: (typeof shownTypes)[number] }>;

/** Whether this is an event that a conversation keeps; its fields are those that this server has told. */
export function isShownEvent(event: unknown): event is ShownEvent {
  if (typeof event !== 'object' || event === null || !('type' in event)) return false;
  return shownTypes.some((type) => type === event.type);
}
