import { isShownEvent, type KeptEvent, type ShownEvent } from '../../events/shown-event.ts';
import { shownOfAgents } from '../../agents/shown-of-agents.ts';
import { isHeld, releasedKey } from '../../guardrails/held-reply.ts';
import type { RecordedOutcome } from '../../tools/tool-outcome.ts';
import type { LiveTurn } from '../live/live-turn.ts';

type NumberedEvent = ShownEvent & { readonly seq: number };

/**
 * What the user was shown of each call of a turn, by `callId`. A call that has handed over has what the agents have said and done. Events
 * that can no longer be read are missing.
 */
export function shownOfCalls({
  record,
  events,
}: Pick<LiveTurn, 'record' | 'events'>): ReadonlyMap<string, KeptEvent[]> {
  const calls = new Map<string, KeptEvent[]>();
  const asked = new Map<string, string>();
  for (const recorded of events.log.others) {
    const event = shownEvent(recorded);
    if (event === undefined) continue;
    if (event.type === 'confirmation-requested') asked.set(event.actionId, event.callId);
    const callId = event.type === 'confirmation-resolved' ? asked.get(event.actionId) : callOf(event);
    if (callId !== undefined) calls.set(callId, [...(calls.get(callId) ?? []), event]);
  }
  for (const [key, value] of record.entries()) {
    if (!key.includes('/call/')) continue;
    const [, round, callId] = /^(.*)\/call\/([^/]+)$/.exec(key) ?? [];
    if (round === undefined || callId === undefined) continue;
    const { shown: all = [] } = value as RecordedOutcome; // recorded by `invokeTool`
    const isUnseen = isHeld(record) && !record.has(releasedKey(round));
    const shown = isUnseen ? all.filter(({ type }) => type !== 'card-ready') : all;
    if (shown.length > 0) calls.set(callId, beforeItsEnd(calls.get(callId) ?? [], shown));
  }
  for (const [callId, shown] of shownOfAgents(record, calls)) calls.set(callId, [...shown]);
  return calls;
}

/**
 * Puts a card, a page or a fault just before the end of its call, where it is told (contract/events.md). Such an event does not name its
 * call.
 */
function beforeItsEnd(told: readonly KeptEvent[], shown: readonly ShownEvent[]): KeptEvent[] {
  const end = told.findIndex(({ type }) => type === 'action-completed');
  if (end < 0) return [...told, ...shown];
  // Several such events keep their order. Each of them gets the number of the end of the call.
  const seq = told[end]?.seq ?? 0;
  return [...told.slice(0, end), ...shown.map((event) => ({ ...event, seq })), ...told.slice(end)];
}

function callOf(event: ShownEvent): string | undefined {
  return 'callId' in event ? event.callId : undefined;
}

function shownEvent({ type, json }: { readonly type: string; readonly json: string }): NumberedEvent | undefined {
  if (!isShownEvent({ type })) return undefined;
  const { turnId: _turn, ...fields } = JSON.parse(json) as Readonly<Record<string, unknown>>; // written by this server
  return { type, ...fields } as NumberedEvent; // of this type, since it was recorded as one
}
