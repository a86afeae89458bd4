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

/** The same influences as those of texts that a question does not show as its sources. */
export function silenced(influences: readonly Influence[]): readonly Influence[] {
  return influences.map((influence) => ({ ...influence, silent: true }));
}

/** Tells an influence from every other one. */
export function influenceKey({ origin, title = '' }: Influence): string {
  return `${origin} ${title}`;
}

/**
 * The untrusted texts that a model has read after it was sent these messages, the latest last (contract/provenance.md#what-counts). A reply
 * keeps its influences, so they stay in the conversation.
 */
export function influencesOf(messages: readonly ChatMessage[]): readonly Influence[] {
  return joinInfluences(...messages.map(influencesIn));
}

/**
 * All influences of these lists, each once. When there are too many, at least one of each origin is kept, and beside these the latest, those
 * that are shown before those that are silent.
 */
export function joinInfluences(...lists: readonly (readonly Influence[])[]): readonly Influence[] {
  const given = lists.flat();
  if (given.length < 2) return given;
  const all = new Map<string, Influence>();
  for (const influence of given) {
    const key = influenceKey(influence);
    const before = all.get(key);
    all.delete(key);
    all.set(key, before !== undefined && before.silent !== true ? before : influence);
  }
  const known = [...all.values()];
  if (known.length <= mostInfluences) return known;
  const byWeight = [...known.filter(isSilent), ...known.filter((influence) => !isSilent(influence))];
  const latest = new Map(byWeight.map((influence) => [influence.origin, influence]));
  const chosen = new Set(latest.values());
  for (const influence of byWeight.toReversed()) if (chosen.size < mostInfluences) chosen.add(influence);
  return known.filter((influence) => chosen.has(influence));
}

function isSilent({ silent }: Influence): boolean {
  return silent === true;
}

/** A member with the influences of a value. No member when nothing has influenced the value. */
export function influencedMember<Of extends Influence>(
  influences: readonly Of[],
): { readonly influencedBy?: readonly Of[] } {
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
