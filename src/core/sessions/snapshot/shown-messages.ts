import { type CardHosts, checkCard } from '../../cards/check-card.ts';
import type { KeptEnd, KeptEvent, KeptSource, ShownEvent } from '../../events/shown-event.ts';
import type { Receipt } from '../../events/turn-event.ts';
import type { Reader } from '../../identity/may-read.ts';
import { sourcesFor } from '../../knowledge/readable-sources.ts';
import { typedText } from '../../prompt/user-message.ts';
import type { Feedback, TurnMark } from '../../request/feedback.ts';
import type { KeptMessage } from '../../request/kept-message.ts';

/** A text of an answer. `agent` has said it; absent, the coordinator has. */
interface ShownText {
  readonly type: 'text';
  readonly text: string;
  readonly agent?: string;
}

/** A part of an answer: a text, an event that was sent beside the text, or the end of the turn. */
export type ShownPart = ShownText | ShownEvent | (KeptEnd & { readonly text: string });

/** A message as a user sees it. */
export interface ShownMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Only a user's message has this: the turn that it began, where that is known. */
  readonly turnId?: string;
  /** What the user thinks of the reply to this message. */
  readonly feedback?: Feedback;
  /** Only a user's message has this: all that was shown in answer to it, in order. Absent where the answer was text alone. */
  readonly answer?: readonly ShownPart[];
  /** Only the last message of a turn has this: the outcomes of its calls that would change something. */
  readonly receipts?: readonly Receipt[];
}

/** How cards are shown today (contract/cards.md). */
export interface CardRules {
  readonly enableGenerativeCards: boolean;
  readonly cardHosts: CardHosts;
}

/** How a conversation is shown today, and to whom. */
export interface ShowRules extends CardRules {
  /** Who reads the conversation, with the present roles and tenant. What this reader may not read any more is left out. */
  readonly reader: Reader;
}

/**
 * The messages of a conversation as its user saw them. Calls of tools and their results are left out, and the texts of one turn are one
 * reply (contract/sessions.md#snapshots).
 */
export function shownMessages(messages: readonly KeptMessage[], rules: ShowRules): readonly ShownMessage[] {
  return turnsOf(messages).flatMap((turn) => shownTurn(turn, rules));
}

/** One turn: what was asked, and what was said in reply. */
function shownTurn(turn: readonly KeptMessage[], rules: ShowRules): ShownMessage[] {
  const parts = paragraphs(inOrder(turn).flatMap((part) => partsOf(part, rules)));
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const whole = texts.join('');
  const told = parts.map((part) => (part.type === 'turn-completed' ? { ...part, text: whole } : part));
  const isTextAlone = parts.every((part) => part.type === 'text' && part.agent === undefined);
  const answer = isTextAlone ? {} : { answer: told };
  const asked = turn.flatMap(({ message, at, turn: mark }): ShownMessage[] =>
    message.role === 'user' ? [{ role: 'user', text: typedText(message), at, ...shownMark(mark), ...answer }] : [],
  );
  const first = turn.find(({ message }) => message.role === 'assistant');
  const replied: ShownMessage[] =
    first === undefined || texts.length === 0 ? [] : [{ role: 'assistant', text: whole, at: first.at }];
  return withReceipts([...asked, ...replied], parts);
}

function shownMark(mark: TurnMark | undefined): Pick<ShownMessage, 'turnId' | 'feedback'> {
  if (mark === undefined) return {};
  const { turnId, feedback } = mark;
  return { turnId, ...(feedback === undefined ? {} : { feedback }) };
}

function withReceipts(messages: ShownMessage[], parts: readonly ShownPart[]): ShownMessage[] {
  const last = messages.at(-1);
  const receipts = parts.flatMap((part) => (part.type === 'turn-completed' ? (part.receipts ?? []) : []));
  return last === undefined || receipts.length === 0 ? messages : [...messages.slice(0, -1), { ...last, receipts }];
}

/** Each text but the first begins a paragraph, as in the live answer. */
function paragraphs(parts: readonly ShownPart[]): readonly ShownPart[] {
  const first = parts.findIndex(({ type }) => type === 'text');
  return parts.map((part, index) =>
    part.type === 'text' && index > first ? { ...part, text: `\n\n${part.text}` } : part,
  );
}

/** A text of an answer, and what stood beside it. */
type KeptPart = ShownText | KeptEvent;

/**
 * The parts of a turn in the order in which they were sent. The events of calls that ran side by side are kept by call, so they are sorted
 * here by their numbers.
 */
function inOrder(turn: readonly KeptMessage[]): readonly KeptPart[] {
  const parts: KeptPart[] = [];
  let round: KeptEvent[] = [];
  const closeRound = (): void => {
    parts.push(...round.toSorted((one, other) => (one.seq ?? last) - (other.seq ?? last)));
    round = [];
  };
  for (const { message, shown = [] } of turn) {
    if (message.role === 'assistant') {
      closeRound();
      if (message.text !== '') parts.push({ type: 'text', text: message.text });
    }
    round.push(...shown);
  }
  closeRound();
  return parts;
}

/**
 * The place of events without a number, such as the end of a turn: they come after all numbered events. An earlier version wrote no numbers
 * at all.
 */
const last = Number.MAX_SAFE_INTEGER;

function partsOf(part: KeptPart, rules: ShowRules): ShownPart[] {
  if (part.type === 'text') return [part];
  if (part.type === 'agent-text') return [{ type: 'text', text: part.text, agent: part.agent }];
  const { seq: _, ...event } = part;
  if (event.type === 'turn-completed') return [{ ...event, text: '' }];
  if (event.type === 'rag-sources-ready') return sourcesToday(event.sources, rules.reader);
  return event.type === 'card-ready' ? cardToday(event, rules) : [event];
}

function sourcesToday(sources: readonly KeptSource[], reader: Reader): ShownPart[] {
  const readable = sourcesFor(sources, reader);
  return readable.length === 0 ? [] : [{ type: 'rag-sources-ready', sources: readable }];
}

/**
 * Checks a card by the rules of today. Images of hosts that are no longer allowed, and all other parts that are no longer allowed, are left
 * out.
 */
function cardToday(
  event: Extract<ShownEvent, { readonly type: 'card-ready' }>,
  { enableGenerativeCards, cardHosts }: CardRules,
): ShownPart[] {
  const check = enableGenerativeCards ? checkCard(event.card, cardHosts) : undefined;
  return check?.ok === true ? [{ ...event, card: check.card }] : [];
}

/** Splits messages into turns: each turn begins with a message of the user. */
function turnsOf(messages: readonly KeptMessage[]): readonly (readonly KeptMessage[])[] {
  const turns: KeptMessage[][] = [];
  for (const kept of messages) {
    if (kept.message.role === 'user' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(kept);
  }
  return turns;
}
