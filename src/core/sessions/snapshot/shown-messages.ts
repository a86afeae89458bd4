import { checkCard } from '../../cards/check-card.ts';
import type { ShownEvent } from '../../events/shown-event.ts';
import { typedText } from '../../prompt/user-message.ts';
import type { KeptMessage } from '../../request/kept-message.ts';

/** A part of an answer: a text, or an event that was told beside it. */
export type ShownPart = { readonly type: 'text'; readonly text: string } | ShownEvent;

/** A message as a user sees it. */
export interface ShownMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Of a user's message: all that was shown in answer to it, in order. Absent where that was text alone. */
  readonly answer?: readonly ShownPart[];
}

/** How cards are shown today (contract/cards.md). */
export interface CardRules {
  readonly enableGenerativeCards: boolean;
  readonly cardImageHosts: readonly string[];
}

/** What a user saw of a conversation: no tool calls and results, and the text of one turn as one reply (contract/sessions.md#snapshots). */
export function shownMessages(messages: readonly KeptMessage[], rules: CardRules): readonly ShownMessage[] {
  return turnsOf(messages).flatMap((turn) => shownTurn(turn, rules));
}

/** One turn: what was asked, and what was said in reply. */
function shownTurn(turn: readonly KeptMessage[], rules: CardRules): ShownMessage[] {
  const parts = paragraphs(turn.flatMap((kept) => partsOf(kept, rules)));
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const answer = parts.length > texts.length ? { answer: parts } : {};
  const asked = turn.flatMap(({ message, at }): ShownMessage[] =>
    message.role === 'user' ? [{ role: 'user', text: typedText(message), at, ...answer }] : [],
  );
  const first = turn.find(({ message }) => message.role === 'assistant' && message.text !== '');
  if (first === undefined) return asked;
  return [...asked, { role: 'assistant', text: texts.join(''), at: first.at }];
}

/** Each text but the first begins a paragraph, as it did when it was told. */
function paragraphs(parts: readonly ShownPart[]): readonly ShownPart[] {
  const first = parts.findIndex(({ type }) => type === 'text');
  return parts.map((part, index) =>
    part.type === 'text' && index > first ? { ...part, text: `\n\n${part.text}` } : part,
  );
}

function partsOf({ message, shown = [] }: KeptMessage, rules: CardRules): ShownPart[] {
  if (message.role === 'assistant') return message.text === '' ? [] : [{ type: 'text', text: message.text }];
  return shown.flatMap((event) => (event.type === 'card-ready' ? cardToday(event, rules) : [event]));
}

/** A card is checked again: images of a host that is allowed no longer, and whatever else is not, are left out. */
function cardToday(
  event: Extract<ShownEvent, { readonly type: 'card-ready' }>,
  { enableGenerativeCards, cardImageHosts }: CardRules,
): ShownPart[] {
  const check = enableGenerativeCards ? checkCard(event.card, cardImageHosts) : undefined;
  return check?.ok === true ? [{ ...event, card: check.card }] : [];
}

/** Each begins with a message of the user. */
function turnsOf(messages: readonly KeptMessage[]): readonly (readonly KeptMessage[])[] {
  const turns: KeptMessage[][] = [];
  for (const kept of messages) {
    if (kept.message.role === 'user' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(kept);
  }
  return turns;
}
