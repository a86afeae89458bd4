import { createHash } from 'node:crypto';
import type { Assistant } from '../../core/assistant.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { Turn } from '../../core/turn/live/turn.ts';

export interface SaidBeforeOptions {
  readonly assistant: Pick<Assistant, 'checksMessages'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The longest message, in characters (`maxMessageLength`), and the most messages of a conversation (`maxSessionMessages`); 0: no limit. */
  readonly limits: { readonly maxMessageLength: number; readonly maxSessionMessages: number };
}

/** Most messages that are known to have been taken. The oldest are forgotten first. */
const mostKnown = 20_000;

/** Stands in place of what the assistant has said: a client's word for it is not taken. */
const answered = '[This was answered. The answer is not kept.]';

/**
 * What clients say that their users have said before, on channels that keep no conversation (contract/openai.md#messages and
 * contract/ag-ui.md#threads). Such a message is checked by nobody when it comes again. So where messages are checked, only those go to the
 * model that this process has taken before as the newest one.
 */
export class SaidBefore {
  readonly #options: SaidBeforeOptions;
  /** Hashes of the messages that were not refused, the oldest first. */
  readonly #known = new Set<string>();

  constructor(options: SaidBeforeOptions) {
    this.#options = options;
  }

  /** Puts the messages into a new conversation. Those of the assistant are not taken from a client. */
  takeUp(session: Session, earlier: readonly string[]): void {
    const { maxSessionMessages: most } = this.#options.limits;
    const passed = earlier.filter((text) => this.#mayPass(text, session.principal));
    // Each has a reply, and the newest message comes with its own.
    const taken = most > 0 ? passed.slice(-Math.max(1, Math.floor(most / 2))) : passed;
    if (taken.length === 0) return;
    const at = this.#options.clock.now();
    session.replaceConversation(
      taken.flatMap((text) => [
        { message: { role: 'user', text }, at },
        { message: { role: 'assistant', text: answered, toolCalls: [] }, at },
      ]),
    );
  }

  /** Knows the message of this user's turn from now on, once the turn has ended without refusing it. */
  note(text: string, principal: Principal, turn: Pick<Turn, 'result'>): void {
    if (!this.#options.assistant.checksMessages) return;
    void turn.result.then(({ status }) => {
      if (status === 'refused') return;
      const hash = hashOf(text, principal);
      this.#known.delete(hash);
      this.#known.add(hash);
      const [oldest] = this.#known;
      if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
    });
  }

  #mayPass(text: string, principal: Principal): boolean {
    const { assistant, limits } = this.#options;
    const { maxMessageLength } = limits;
    if (maxMessageLength > 0 && text.length > maxMessageLength) return false;
    return !assistant.checksMessages || this.#known.has(hashOf(text, principal));
  }
}

/** Nobody finds out by it what another user has said. All who are not signed in are one: each of their requests has a key of its own. */
function hashOf(text: string, principal: Principal): string {
  const who = principal.kind === 'signed-in' ? principal.userKey : '';
  return createHash('sha256')
    .update(JSON.stringify([who, text]))
    .digest('base64');
}
