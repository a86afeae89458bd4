import { randomId } from '../base/random-id.ts';
import type { KeptEvent } from '../events/shown-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import { trimHistory } from './trim-history.ts';

export type { KeptMessage } from '../request/kept-message.ts';

/**
 * Most characters of JSON kept of what the calls of a conversation have shown. Over that, the oldest calls lose theirs
 * first.
 */
const maxShownLength = 256 * 1024;

/** What a turn has said and done. */
export interface SaidInTurn {
  readonly messages: readonly ChatMessage[];
  /** What the user was shown of each call, by `callId`. */
  readonly shown: ReadonlyMap<string, readonly KeptEvent[]>;
  /** How the turn broke off, as its user was shown it. Absent for a turn that answered to its end. */
  readonly ending?: KeptEvent | undefined;
}

/** The transcript inside a session. It changes only between turns. */
export class Conversation {
  readonly id: string;
  /** Tools the user does not want to be asked about again (contract/confirmations.md#rules-in-place-of-the-user, `remember`): a new conversation asks anew. */
  readonly remembered = new Set<string>();
  #messages: readonly ChatMessage[];
  /** What was shown is kept beside the messages, because the model takes the messages as they are. */
  #times: readonly number[];
  /** Kept for answers of tools, and for the last message of a turn that broke off. It goes when its message goes. */
  readonly #shown = new WeakMap<ChatMessage, { readonly events: readonly KeptEvent[]; readonly length: number }>();

  /**
   * Without `kept` the conversation is empty. Without the `id` of `kept` it is another conversation with the same
   * messages.
   */
  constructor(kept?: { readonly id?: string; readonly messages: readonly KeptMessage[] }) {
    this.id = kept?.id ?? randomId();
    this.#messages = kept?.messages.map(({ message }) => message) ?? [];
    this.#times = kept?.messages.map(({ at }) => at) ?? [];
    for (const { message, shown } of kept?.messages ?? []) this.#keepShown(message, shown);
    this.#forgetShown();
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  get kept(): readonly KeptMessage[] {
    return this.#messages.map((message, index) => {
      const shown = this.#shown.get(message)?.events;
      return { message, at: this.#times[index] ?? 0, ...(shown === undefined ? {} : { shown }) };
    });
  }

  /** Adds what a turn said and did, then takes whole old turns out (contract/sessions.md#length, `maxSessionMessages`). */
  record(
    { messages, shown, ending }: SaidInTurn,
    maxSessionMessages: number,
    times: { readonly askedAt: number; readonly answeredAt: number },
  ): void {
    const added = messages.map(({ role }) => (role === 'user' ? times.askedAt : times.answeredAt));
    this.#messages = trimHistory([...this.#messages, ...messages], maxSessionMessages);
    const all = [...this.#times, ...added];
    this.#times = all.slice(all.length - this.#messages.length);
    for (const message of messages) {
      const last = ending !== undefined && message === messages.at(-1) ? [ending] : [];
      const events = message.role === 'tool' ? shown.get(message.callId) : undefined;
      this.#keepShown(message, [...(events ?? []), ...last]);
    }
    this.#forgetShown();
  }

  #keepShown(message: ChatMessage, events: readonly KeptEvent[] = []): void {
    if (events.length > 0) this.#shown.set(message, { events, length: JSON.stringify(events).length });
  }

  #forgetShown(): void {
    let length = 0;
    for (const message of this.#messages.toReversed()) {
      length += this.#shown.get(message)?.length ?? 0;
      if (length > maxShownLength) this.#shown.delete(message);
    }
  }
}
