import { randomId } from '../base/random-id.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { trimHistory } from './trim-history.ts';

/** A message of the history and when it was said, in epoch milliseconds. */
export interface KeptMessage {
  readonly message: ChatMessage;
  readonly at: number;
}

/** The transcript inside a session (names.md). It changes only between turns. */
export class Conversation {
  readonly id: string;
  /** Tools the user does not want to be asked about again (wire.md 5, `remember`): a new conversation asks anew. */
  readonly remembered = new Set<string>();
  #messages: readonly ChatMessage[];
  /** Beside the messages, which the model takes as they are. */
  #times: readonly number[];

  /** Without `kept` an empty one; without its `id` another one with the same messages. */
  constructor(kept?: { readonly id?: string; readonly messages: readonly KeptMessage[] }) {
    this.id = kept?.id ?? randomId();
    this.#messages = kept?.messages.map(({ message }) => message) ?? [];
    this.#times = kept?.messages.map(({ at }) => at) ?? [];
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  get kept(): readonly KeptMessage[] {
    return this.#messages.map((message, index) => ({ message, at: this.#times[index] ?? 0 }));
  }

  /** Adds what a turn said and did, then takes whole old turns out (service.md 2.9, `MaxSessionMessages`). */
  record(
    turn: readonly ChatMessage[],
    maxSessionMessages: number,
    times: { readonly askedAt: number; readonly answeredAt: number },
  ): void {
    const added = turn.map(({ role }) => (role === 'user' ? times.askedAt : times.answeredAt));
    this.#messages = trimHistory([...this.#messages, ...turn], maxSessionMessages);
    const all = [...this.#times, ...added];
    this.#times = all.slice(all.length - this.#messages.length);
  }
}
