import type { KeptEvent } from '../events/shown-event.ts';
import { isHeld, releasedKey } from '../guardrails/held-reply.ts';
import type { StepRecord } from '../record/step-record.ts';
import type { RecordedReply } from './recorded-reply.ts';
import { spokenRounds } from './spoken-rounds.ts';

type ShownRecord = Pick<StepRecord, 'entries' | 'has' | 'get'>;

/** What agents have done below a call of the coordinator. */
const below = /^coordinator\/\d+\/call\/([^/]+)\//;

/**
 * What the user was shown of agents, by the id of the call of the coordinator that has handed over to them: their words, and the events of
 * their calls. The words of a reply stand before the events of its calls. `ofCalls` are the events of all calls, by their ids.
 */
export function shownOfAgents(
  record: ShownRecord,
  ofCalls: ReadonlyMap<string, readonly KeptEvent[]>,
): ReadonlyMap<string, readonly KeptEvent[]> {
  const shown = new Map<string, KeptEvent[]>();
  let words: ReturnType<typeof wordsByPlace> | undefined;
  for (const [key, value] of record.entries()) {
    const [, top] = below.exec(key) ?? [];
    if (top === undefined) continue;
    words ??= wordsByPlace(record);
    const events = shown.get(top) ?? [];
    const said = words.get(key);
    // The words take the number of what was shown before them, so that they stay where they were said.
    if (said !== undefined) events.push({ ...said, seq: events.at(-1)?.seq ?? 0 });
    // A step whose key ends so is recorded by `askModel`.
    const calls = key.endsWith('/model') ? (value as RecordedReply).calls : [];
    for (const { callId } of calls) events.push(...(ofCalls.get(callId) ?? []));
    if (events.length > 0) shown.set(top, events);
  }
  return shown;
}

/** What agents have said to the user, by the key of the step in which they said it. */
function wordsByPlace(record: ShownRecord): ReadonlyMap<string, Extract<KeptEvent, { readonly type: 'agent-text' }>> {
  const isUnseen = (at: string): boolean => isHeld(record) && !record.has(releasedKey(at));
  const words = new Map<string, Extract<KeptEvent, { readonly type: 'agent-text' }>>();
  for (const { at, key, agent, text } of spokenRounds(record)) {
    if (agent !== undefined && text !== '' && !isUnseen(at)) words.set(key, { type: 'agent-text', agent, text });
  }
  for (const [key, value] of record.entries()) {
    const member = key.startsWith('coordinator/') && key.endsWith('/half') ? memberAbove(record, key) : undefined;
    // The half of a reply that the turn went on without was taken back.
    if (member === undefined || record.has(`${member}/said`)) continue;
    const agent = record.get(`${member}/agent`) as { readonly name: string } | undefined; // recorded by `runMember`
    if (agent !== undefined) words.set(key, { type: 'agent-text', agent: agent.name, text: value as string }); // by `putHalf`
  }
  return words;
}

/** The path of the agent in whose run a step is. Undefined for a step of the coordinator. */
function memberAbove(record: ShownRecord, key: string): string | undefined {
  for (let path = key; path.includes('/'); path = path.slice(0, path.lastIndexOf('/')))
    if (record.has(`${path}/agent`)) return path;
  return undefined;
}
