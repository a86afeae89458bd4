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

/** How a turn ended. This is kept for a stopped turn, and for a turn with receipts. An `error-occurred` event tells why a turn failed. */
export interface KeptEnd {
  readonly type: 'turn-completed';
  readonly status: TurnStatus;
  readonly receipts?: readonly Receipt[];
}

/** Who may read something. One of the roles is enough, and the tenant must match one of the globs. An absent list lets everybody in. */
export interface Restriction {
  readonly requiredRoles?: readonly string[];
  readonly tenants?: readonly string[];
}

/** A source as turns and conversations keep it, with the restrictions on its readers. No client is told the restrictions. */
export interface KeptSource extends CitedSource {
  /**
   * A reader must be let in by each of these restrictions. When absent, everybody may read the source. Sources that earlier versions kept
   * have no restrictions, and stay readable for the user of their conversation.
   */
  readonly access?: readonly Restriction[];
}

/** The documents that a reply is based on, as they are kept. */
interface KeptSources {
  readonly type: 'rag-sources-ready';
  readonly sources: readonly KeptSource[];
}

/** What an agent has said to which the coordinator had handed over. The words of the coordinator are messages. */
interface AgentText {
  readonly type: 'agent-text';
  readonly agent: string;
  readonly text: string;
}

/**
 * What a conversation keeps beside its messages. `seq` tells which of several parallel calls was shown first. It is absent in events that
 * version 1.0 kept, and in events that were kept before `seq` existed.
 */
export type KeptEvent = (
  Exclude<ShownEvent, { readonly type: 'rag-sources-ready' }> | KeptSources | KeptEnd | AgentText
) & {
  readonly seq?: number;
};

/**
 * Whether this is an event that a conversation keeps. Only the type is checked, because this server has written the other fields itself.
 */
export function isShownEvent(event: unknown): event is ShownEvent {
  if (typeof event !== 'object' || event === null || !('type' in event)) return false;
  return shownTypes.some((type) => type === event.type);
}

/** Like `isShownEvent`, but also true for the kept end of a turn. */
export function isKeptEvent(event: unknown): event is KeptEvent {
  return isShownEvent(event) || isEnd(event) || isAgentText(event);
}

function isEnd(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'turn-completed';
}

function isAgentText(event: unknown): boolean {
  if (typeof event !== 'object' || event === null || !('type' in event) || event.type !== 'agent-text') return false;
  return 'agent' in event && typeof event.agent === 'string' && 'text' in event && typeof event.text === 'string';
}
