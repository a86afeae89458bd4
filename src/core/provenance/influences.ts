import { oneLine } from '../base/one-line.ts';
import type { Origin } from '../events/origin.ts';
import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';

/** Most texts that are named at once. Each origin keeps a place of its own. */
const mostInfluences = 10;
/** Most characters of a title. */
const longestTitle = 120;

/** Whose words nobody else can have written into. Those of a model are as trusted as what the model has read. */
const trustedOrigins: readonly Origin[] = ['user', 'operator', 'model'];

/** What names a text of this origin: nothing, where it is trusted (contract/provenance.md#origins). */
export function influenceOf(origin: Origin, title = ''): readonly Influence[] {
  if (trustedOrigins.includes(origin)) return [];
  const shown = shownTitle(title);
  return [shown === '' ? { origin } : { origin, title: shown }];
}

/**
 * The untrusted texts that a model has read once it was sent these messages, the latest last (contract/provenance.md#what-counts). What
 * had influenced a reply stays with the reply, and so with the conversation.
 */
export function influencesOf(messages: readonly ChatMessage[]): readonly Influence[] {
  return joinInfluences(...messages.map(influencesIn));
}

/** All of these, each once: the latest of them where there are too many, and at least one of each origin. */
export function joinInfluences(...lists: readonly (readonly Influence[])[]): readonly Influence[] {
  const all = new Map<string, Influence>();
  for (const influence of lists.flat()) {
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

/** What has influenced a value, as a member of the value; no member where nothing has. */
export function influencedMember(influences: readonly Influence[]): { readonly influencedBy?: readonly Influence[] } {
  return influences.length === 0 ? {} : { influencedBy: influences };
}

/** A message without a label is one that an earlier version of this server has kept: its origin is all that is known. */
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
