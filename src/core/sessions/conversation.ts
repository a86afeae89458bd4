import { randomId } from '../identity/random-id.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { trimHistory } from './trim-history.ts';

/** The transcript inside a session (names.md). It changes only between turns. */
export class Conversation {
  readonly id: string;
  /** Tools the user does not want to be asked about again (wire.md 5, `remember`): a new conversation asks anew. */
  readonly remembered = new Set<string>();
  #messages: readonly ChatMessage[];

  /** Without `kept` an empty one. */
  constructor(kept?: { readonly id: string; readonly messages: readonly ChatMessage[] }) {
    this.id = kept?.id ?? randomId();
    this.#messages = kept?.messages ?? [];
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** Adds what a turn said and did, then takes whole old turns out (service.md 2.9, `MaxSessionMessages`). */
  record(turn: readonly ChatMessage[], maxSessionMessages: number): void {
    this.#messages = trimHistory([...this.#messages, ...turn], maxSessionMessages);
  }
}
