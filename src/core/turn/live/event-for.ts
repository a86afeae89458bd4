import type { RecordedEvent } from '../../events/turn-event.ts';
import { readerOf } from '../../identity/may-read.ts';
import type { Principal } from '../../identity/principal.ts';
import { isReadable, sourcesFor } from '../../knowledge/readable-sources.ts';
import type { Turn } from './turn.ts';

/**
 * An event of a turn as its reader may see it. Documents that the reader may no longer read are left out, since a user can resume a turn
 * with other roles than it began with (contract/knowledge.md#access). The event keeps its number, because numbers have no gaps.
 */
export function eventFor(
  event: RecordedEvent,
  { sources }: Pick<Turn, 'sources'>,
  principal: Principal,
): RecordedEvent {
  if (event.type !== 'rag-sources-ready') return event;
  const reader = readerOf(principal);
  if (sources.every((source) => isReadable(source, reader))) return event;
  const fields = JSON.parse(event.json) as Readonly<Record<string, unknown>>; // written by this server
  return { ...event, json: JSON.stringify({ ...fields, sources: sourcesFor(sources, reader) }) };
}
