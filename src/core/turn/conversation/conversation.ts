import { randomId } from '../../base/random-id.ts';
import type { SaidInConversation } from '../../conversations/kept-conversations.ts';
import type { KeptEvent } from '../../events/shown-event.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import { type Feedback, rated, type TurnMark } from '../../request/feedback.ts';
import type { HistorySummary, KeptMessage } from '../../request/kept-message.ts';
import { typedText } from '../../prompt/user-message.ts';
import { trimHistory } from './trim-history.ts';

export type { KeptMessage } from '../../request/kept-message.ts';

/**
 * The most characters of JSON that are kept of what the calls of a conversation have shown. Above this limit, what the oldest calls have
 * shown is dropped first.
 */
const maxShownLength = 256 * 1024;

/** How many of the latest turns give their words to a search. */
const recentTurns = 3;

/** What a turn has said and done. */
export interface SaidInTurn {
  readonly turn: TurnMark;
  /** The turn whose exchange this one takes the place of. */
  readonly replaces?: string | undefined;
  readonly messages: readonly ChatMessage[];
  /** What the user was shown of each call, by `callId`. */
  readonly shown: ReadonlyMap<string, readonly KeptEvent[]>;
  /** What the user was shown below the reply: the documents it uses, and how the turn ended. */
  readonly below: readonly KeptEvent[];
  /** The indexes of the earlier messages that stay. Left out, `maxSessionMessages` decides. */
  readonly reduced?: readonly number[] | undefined;
  /** Sums up what came before the message at an index, counted after `reduced`. */
  readonly summed?: { readonly index: number; readonly summary: HistorySummary } | undefined;
}

/** The transcript inside a session. It changes only between turns. */
export class Conversation {
  readonly id: string;
  /** Tools the user does not want to be asked about again (contract/confirmations.md#rules-in-place-of-the-user, `remember`): a new conversation asks anew. */
  readonly remembered = new Set<string>();
  /** What turns have said that the store has not taken yet, where the conversation is kept for its user. */
  readonly unstored: SaidInConversation[] = [];
  /** Whether the store is known to hold a part of the conversation. */
  isStored = false;
  #isForgotten = false;
  #messages: readonly ChatMessage[];
  /** Epoch milliseconds of each message. They are kept beside the messages, because the model takes the messages unchanged. */
  #times: readonly number[];
  /** For each of the last turns that ran in this conversation: what the user said, and what the reply said. */
  #recent: readonly (readonly string[])[] = [];
  /**
   * The events that the user was shown with a tool result or with the last message of a turn. They are dropped with their message. Undefined
   * until there are some, because most conversations have none.
   */
  #shown: WeakMap<ChatMessage, { readonly events: readonly KeptEvent[]; readonly length: number }> | undefined;
  /** Undefined until there is one. */
  #summaries: WeakMap<ChatMessage, HistorySummary> | undefined;
  /** The turns that the messages of the user began. */
  readonly #turns = new WeakMap<ChatMessage, TurnMark>();

  /**
   * Without `kept` the conversation is empty. Without the `id` of `kept` it is another conversation with the same
   * messages.
   */
  constructor(kept?: { readonly id?: string; readonly messages: readonly KeptMessage[] }) {
    this.id = kept?.id ?? randomId();
    this.#messages = kept?.messages.map(({ message }) => message) ?? [];
    this.#times = kept?.messages.map(({ at }) => at) ?? [];
    for (const { message, shown, before, turn } of kept?.messages ?? []) {
      this.#keepShown(message, shown);
      if (before !== undefined) this.#keepBefore(message, before);
      if (turn !== undefined) this.#turns.set(message, turn);
    }
    this.#forgetShown();
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  get kept(): readonly KeptMessage[] {
    return this.last(this.#messages.length);
  }

  /**
   * What was said in the last three turns, the oldest first, without what is `replaced`. Messages from a snapshot are left out: only the model
   * gets their words.
   */
  recentWords(replaced?: string): readonly string[] {
    return this.#recentBefore(replaced).flat();
  }

  /** The last `count` messages. */
  last(count: number): readonly KeptMessage[] {
    const from = Math.max(0, this.#messages.length - count);
    return this.#messages.slice(from).map((message, index) => {
      const shown = this.#shown?.get(message)?.events;
      const before = this.#summaries?.get(message);
      const turn = this.#turns.get(message);
      return {
        message,
        at: this.#times[from + index] ?? 0,
        ...(shown === undefined ? {} : { shown }),
        ...(before === undefined ? {} : { before }),
        ...(turn === undefined ? {} : { turn }),
      };
    });
  }

  /**
   * Whether this turn is the last one of the conversation, and has changed nothing. An exchange that holds the summary of what came before it
   * stays, since the summary would go with it.
   */
  canReplace(turnId: string): boolean {
    const mark = this.#lastTurn;
    const hasSummary = this.#messages.slice(this.#lastAsked).some((message) => this.#summaries?.has(message));
    return mark?.turnId === turnId && mark.acted === undefined && !hasSummary;
  }

  /** The messages that a turn begins with: all of them, without those of the last turn if its exchange is replaced. */
  before(replaced: string | undefined): readonly KeptMessage[] {
    return this.#isLast(replaced) ? this.kept.slice(0, this.#lastAsked) : this.kept;
  }

  #isLast(turnId: string | undefined): boolean {
    return turnId !== undefined && this.#lastTurn?.turnId === turnId;
  }

  #recentBefore(replaced: string | undefined): readonly (readonly string[])[] {
    return this.#isLast(replaced) ? this.#recent.slice(0, -1) : this.#recent;
  }

  /** The index of the last message of the user; -1 without one. */
  get #lastAsked(): number {
    return this.#messages.findLastIndex(({ role }) => role === 'user');
  }

  get #lastTurn(): TurnMark | undefined {
    const asked = this.#messages[this.#lastAsked];
    return asked && this.#turns.get(asked);
  }

  /** Adds what a turn said and did, then takes whole old turns out (contract/sessions.md#length, `maxSessionMessages`). */
  record(
    { turn, replaces, messages, shown, below, reduced, summed }: SaidInTurn,
    maxSessionMessages: number,
    times: { readonly askedAt: number; readonly answeredAt: number },
  ): void {
    if (this.#isForgotten) return;
    const recent = this.#recentBefore(replaces);
    if (this.#isLast(replaces)) this.#dropLast();
    const added = messages.map(({ role }) => (role === 'user' ? times.askedAt : times.answeredAt));
    const limit = reduced === undefined ? maxSessionMessages : 0;
    const all = [...chosen(this.#times, reduced), ...added];
    const whole = [...chosen(this.#messages, reduced), ...messages];
    this.#messages = trimHistory(whole, limit);
    this.#keepSummary(whole, summed);
    this.#times = all.slice(all.length - this.#messages.length);
    for (const message of messages) {
      const last = message === messages.at(-1) ? below : [];
      const events = message.role === 'tool' ? shown.get(message.callId) : undefined;
      this.#keepShown(message, [...(events ?? []), ...last]);
      if (message.role === 'user') this.#turns.set(message, turn);
    }
    this.#forgetShown();
    this.#recent = [...recent, wordsOf(messages)].slice(-recentTurns);
  }

  /**
   * Keeps what the user thinks of the reply of a turn; undefined takes it back. Returns what was kept before. Undefined when the conversation
   * has no such turn.
   */
  rate(turnId: string, feedback: Feedback | undefined): { readonly before: Feedback | undefined } | undefined {
    const asked = this.#messages.find((message) => this.#turns.get(message)?.turnId === turnId);
    const mark = asked && this.#turns.get(asked);
    if (asked === undefined || mark === undefined) return undefined;
    const turn = rated(mark, feedback);
    this.#turns.set(asked, turn);
    for (const [index, said] of this.unstored.entries()) {
      const messages = said.messages.map((kept) => (kept.turn?.turnId === turnId ? { ...kept, turn } : kept));
      this.unstored[index] = { ...said, messages };
    }
    return { before: mark.feedback };
  }

  #dropLast(): void {
    const from = this.#lastAsked;
    this.#messages = this.#messages.slice(0, from);
    this.#times = this.#times.slice(0, from);
  }

  /** Whether the conversation was deleted. A session that has it open continues with another conversation. */
  get isForgotten(): boolean {
    return this.#isForgotten;
  }

  /** The conversation was deleted: nothing of it stays, and nothing is added to it any more. */
  forget(): void {
    this.#isForgotten = true;
    this.unstored.length = 0;
    this.#messages = [];
    this.#times = [];
    this.#recent = [];
  }

  /** Keeps only the latest summary. When the message of that summary is trimmed, the summary moves to the first message that is left. */
  #keepSummary(whole: readonly ChatMessage[], summed: SaidInTurn['summed']): void {
    const summaries = this.#summaries;
    const known = summaries === undefined ? -1 : whole.findLastIndex((message) => summaries.has(message));
    const at = summed?.index ?? known;
    const old = whole[known];
    const summary = summed?.summary ?? (old === undefined ? undefined : summaries?.get(old));
    if (old !== undefined) summaries?.delete(old);
    const holder = whole[Math.max(at, whole.length - this.#messages.length)];
    if (summary !== undefined && holder !== undefined) this.#keepBefore(holder, summary);
  }

  #keepBefore(message: ChatMessage, summary: HistorySummary): void {
    this.#summaries = (this.#summaries ?? new WeakMap()).set(message, summary);
  }

  #keepShown(message: ChatMessage, events: readonly KeptEvent[] = []): void {
    if (events.length === 0) return;
    this.#shown = (this.#shown ?? new WeakMap()).set(message, { events, length: JSON.stringify(events).length });
  }

  #forgetShown(): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    let length = 0;
    for (const message of this.#messages.toReversed()) {
      length += shown.get(message)?.length ?? 0;
      if (length > maxShownLength) shown.delete(message);
    }
  }
}

function chosen<Item>(items: readonly Item[], indexes: readonly number[] | undefined): readonly Item[] {
  return indexes?.flatMap((index) => items[index] ?? []) ?? items;
}

/** The words of a turn: those of its user, and the text of the reply as one. */
function wordsOf(messages: readonly ChatMessage[]): readonly string[] {
  const asked = messages.flatMap((message) => (message.role === 'user' ? [typedText(message)] : []));
  const replied = messages.flatMap(({ role, text }) => (role === 'assistant' && text !== '' ? [text] : []));
  return [...asked, replied.join('\n\n')].filter((words) => words !== '');
}
