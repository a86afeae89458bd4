import { oneLine } from '../base/one-line.ts';
import type { Origin } from '../events/origin.ts';
import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';

/** Most texts that one list names. At least one text of each origin is kept. */
const mostInfluences = 10;
/** Most characters of a title. */
const longestTitle = 120;

/** The origins whose texts nobody else can have written into. A model's text is only as trusted as the texts that the model has read. */
const trustedOrigins: readonly Origin[] = ['user', 'operator', 'model'];

/** The influence of a text of this origin. Empty when the origin is trusted (contract/provenance.md#origins). */
export function influenceOf(origin: Origin, title = ''): readonly Influence[] {
  if (trustedOrigins.includes(origin)) return [];
  const shown = shownTitle(title);
  return [shown === '' ? { origin } : { origin, title: shown }];
}

/**
 * The untrusted texts that a model has read after it was sent these messages, the latest last (contract/provenance.md#what-counts). A reply
 * keeps its influences, so they stay in the conversation.
 */
export function influencesOf(messages: readonly ChatMessage[]): readonly Influence[] {
  return joinInfluences(...messages.map(influencesIn));
}

/** All influences of these lists, each once. When there are too many, the latest are kept, and at least one of each origin. */
export function joinInfluences(...lists: readonly (readonly Influence[])[]): readonly Influence[] {
  const given = lists.flat();
  if (given.length < 2) return given;
  const all = new Map<string, Influence>();
  for (const influence of given) {
    const key = `${influence.origin} ${influence.title ?? ''}`;
    all.delete(key);
    all.set(key, influence);
  }
  const known = [...all.values()];
  if (known.length <= mostInfluences) return known;
  const latest = new Map(known.map((influence) => [influence.origin, influence]));
  const chosen = new Set(latest.values());
  for (const influence of known.toReversed()) if (chosen.size < mostInfluences) chosen.add(influence);
  return known.filter((influence) => chosen.has(influence));
}

/** A member with the influences of a value. No member when nothing has influenced the value. */
export function influencedMember(influences: readonly Influence[]): { readonly influencedBy?: readonly Influence[] } {
  return influences.length === 0 ? {} : { influencedBy: influences };
}

/**
 * The influences in a message. An earlier version of this server stored messages without labels. Only the origin of such a message is
 * known.
 */
function influencesIn(message: ChatMessage): readonly Influence[] {
  const { influencedBy, origin } = message;
  if (influencedBy !== undefined) return influencedBy;
  if (message.role !== 'tool') return origin === undefined ? [] : influenceOf(origin);
  return message.trusted === true ? [] : influenceOf(origin ?? 'action', message.name);
}

/** One line without invisible characters, cut where it is too long. */
function shownTitle(title: string): string {
  const characters = Array.from(oneLine(title.slice(0, longestTitle * 4)));
  return characters.length <= longestTitle ? characters.join('') : `${characters.slice(0, longestTitle - 1).join('')}…`;
}
