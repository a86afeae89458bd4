import type { TurnEvent, TurnEventType } from '../../core/events/turn-event.ts';
import type { TurnEventHead, TurnHubEvents } from '../../wire/hub-events.ts';

type PascalCase<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${PascalCase<Rest>}`
  : Capitalize<Name>;

type CoreFields<Type extends TurnEventType> = Omit<Extract<TurnEvent, { readonly type: Type }>, 'type'>;

type WireFields<Name extends keyof TurnHubEvents> = Omit<TurnHubEvents[Name], keyof TurnEventHead>;

/** The hub's name of an event, or `never` when what the core emits is not what `wire/hub-events.ts` promises. */
type ProvenName<Type extends TurnEventType, Name = PascalCase<Type>> = Name extends keyof TurnHubEvents
  ? CoreFields<Type> extends WireFields<Name>
    ? keyof WireFields<Name> extends keyof CoreFields<Type>
      ? Name
      : never
    : never
  : never;

/**
 * The hub's names of the core's events (contract/events.md#members). A new event type, or a field that the wire does not have, does not
 * compile here.
 */
export const hubEventNames = {
  'turn-started': 'TurnStarted',
  'text-delta': 'TextDelta',
  'thought-ready': 'ThoughtReady',
  'text-replaced': 'TextReplaced',
  'action-executing': 'ActionExecuting',
  'action-progress': 'ActionProgress',
  'action-completed': 'ActionCompleted',
  'confirmation-requested': 'ConfirmationRequested',
  'confirmation-resolved': 'ConfirmationResolved',
  'agent-activity': 'AgentActivity',
  'navigation-requested': 'NavigationRequested',
  'card-ready': 'CardReady',
  'rag-sources-ready': 'RagSourcesReady',
  'turn-completed': 'TurnCompleted',
  'error-occurred': 'ErrorOccurred',
} as const satisfies { readonly [Type in TurnEventType]: ProvenName<Type> };

/** A turn event as an item of `StreamMessage`'s stream (contract/hub.md#methods): its JSON with the event's name in front. */
export function streamItemJson(event: { readonly type: TurnEventType; readonly json: string }): string {
  return `{"event":"${hubEventNames[event.type]}",${event.json.slice(1)}`;
}
