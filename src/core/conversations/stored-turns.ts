import type {
  ConversationAddition,
  ConversationBounds,
  ConversationPlace,
  StoredConversationTurn,
  TextOfTurn,
} from '../ports/conversation-store.ts';

/** A turn as a store keeps it that saves each conversation as a whole. */
export type KeptTurnText = StoredConversationTurn & { readonly replaces?: string | undefined };

/**
 * The turns of a conversation after one more turn was added. Turns over the bounds are dropped. Adding the same turn again changes nothing.
 */
export function withTurn(
  turns: readonly KeptTurnText[],
  { turn, before, replaces = [] }: ConversationAddition,
  bounds: ConversationBounds,
): readonly KeptTurnText[] {
  const earlier: readonly KeptTurnText[] = turns.length === 0 && before !== undefined ? [before] : turns;
  const others = earlier.filter(({ turnId }) => !replaces.includes(turnId));
  const isThere = others.some((other) => other.turnId === turn.turnId || other.replaces === turn.turnId);
  return withinBounds(isThere ? others : [...others, { ...turn, replaces: replaces[0] }], bounds);
}

/** The turns with another text of one of them. Undefined when there is no such turn, or when its text is another one now. */
export function withText(
  turns: readonly KeptTurnText[],
  { turnId, from, to }: TextOfTurn,
): readonly KeptTurnText[] | undefined {
  const isMeant = (turn: KeptTurnText): boolean => turn.turnId === turnId && turn.text === from;
  return turns.some(isMeant) ? turns.map((turn) => (isMeant(turn) ? { ...turn, text: to } : turn)) : undefined;
}

/** Compares two conversations for the list that their user sees: the newest comes first. */
export function newestFirst(one: ConversationPlace, other: ConversationPlace): number {
  if (one.lastAt !== other.lastAt) return other.lastAt - one.lastAt;
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}

/** The newest turns that stay within the bounds together. The last turn always stays. */
function withinBounds(
  turns: readonly KeptTurnText[],
  { messagesPerConversation, lengthPerConversation }: ConversationBounds,
): readonly KeptTurnText[] {
  let messages = 0;
  let length = 0;
  const over = turns.findLastIndex((turn, index) => {
    messages += turn.messages;
    length += turn.text.length;
    const isOver = messages > messagesPerConversation || length > lengthPerConversation;
    return isOver && index < turns.length - 1;
  });
  return turns.slice(over + 1);
}
