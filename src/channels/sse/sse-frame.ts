import type { RecordedEvent, TurnEventType } from '../../core/events/turn-event.ts';

/** contract/events.md#members: the SSE name of each event; null for those that only the hub sends. */
const frameNames = {
  'turn-started': null,
  'text-delta': 'text',
  'thought-ready': 'thought',
  'text-replaced': 'text',
  'action-executing': null,
  'action-progress': null,
  'action-completed': null,
  'confirmation-requested': 'confirmation',
  'confirmation-resolved': null,
  'agent-activity': null,
  'navigation-requested': 'navigation',
  'card-ready': 'card',
  'rag-sources-ready': null,
  'turn-completed': 'end',
  'error-occurred': 'failure',
} as const satisfies Record<TurnEventType, string | null>;

const textFields = `event: ${frameNames['text-delta']}\ndata: `;

/**
 * The first frame of every stream: the time before a reconnection, and the event after which the stream continues
 * (contract/sse.md#the-stream).
 */
export function openingFrame(turnId: string, afterSeq: number): string {
  return `retry: 2000\nid: ${turnId}:${String(afterSeq)}\n\n`;
}

/**
 * An event as a frame, or an empty string when SSE does not carry this event. `json` has no line break, so one `data` line is enough.
 * `withId: false` is for a confirmation that is sent again: it must not set the client's last event id back.
 */
export function eventFrame(idHead: string, event: RecordedEvent, withId: boolean): string {
  const fields = fieldsOf(event.type);
  if (fields === '') return '';
  const json = event.type === 'text-replaced' ? `{"replace":true,${event.json.slice(1)}` : event.json;
  return withId ? `${idHead}${String(event.seq)}\n${fields}${json}\n\n` : `${fields}${json}\n\n`;
}

/** What stands before the number of an event of this turn. */
export function idHead(turnId: string): string {
  return `id: ${turnId}:`;
}

/** Text events are the hot path, so their fields are one prepared string. */
function fieldsOf(type: TurnEventType): string {
  if (type === 'text-delta') return textFields;
  const name = frameNames[type];
  return name === null ? '' : `event: ${name}\ndata: `;
}

/** The turn and the number a client saw last, from `Last-Event-ID`; undefined when it is not one of ours. */
export function parseLastEventId(value: string): { readonly turnId: string; readonly seq: number } | undefined {
  const match = /^([A-Za-z0-9._-]{1,64}):(\d{1,9})$/.exec(value);
  if (match?.[1] === undefined) return undefined;
  return { turnId: match[1], seq: Number(match[2]) };
}
