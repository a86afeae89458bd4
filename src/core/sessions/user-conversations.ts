import type { ConversationHead, KeptConversations } from '../conversations/kept-conversations.ts';
import { HelperError } from '../errors/helper-error.ts';
import { readerOf } from '../identity/may-read.ts';
import type { Principal } from '../identity/principal.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationPlace } from '../ports/conversation-store.ts';
import type { MeantConversations } from './forget-conversations.ts';
import type { Session } from './session.ts';
import { type CardRules, type ShownMessage, shownMessages } from './snapshot/shown-messages.ts';

/** What a user's list of conversations is made of. */
export interface UserConversationsOptions {
  readonly kept: KeptConversations;
  /** Forgets what this process holds of a deleted conversation. */
  readonly forget: (meant: MeantConversations) => Promise<unknown>;
  readonly clock: Pick<Clock, 'now'>;
  readonly cards: CardRules;
}

/** A conversation as its user reads it. */
export interface ReadConversation extends ConversationHead {
  readonly messages: readonly ShownMessage[];
}

/**
 * The kept conversations of signed-in users, as channels offer them (contract/sessions.md#kept-conversations). A conversation of another
 * user counts as unknown. Every method throws HelperError `storage_unavailable` when the store fails.
 */
export class UserConversations {
  readonly #options: UserConversationsOptions;

  constructor(options: UserConversationsOptions) {
    this.#options = options;
  }

  /** A page of a user's conversations, the newest first. `next` is where the next page begins. */
  page(userKey: string, before: ConversationPlace | undefined, limit: number): ReturnType<KeptConversations['page']> {
    return fromStore(this.#options.kept.page(userKey, before, limit));
  }

  /** @throws HelperError `not_found`. */
  async read(principal: Principal, id: string): Promise<ReadConversation> {
    const { kept, cards } = this.#options;
    const opened = await fromStore(kept.open(principal.userKey, id));
    if (opened === undefined) throw unknown();
    const { title, startedAt, lastAt, messages } = opened;
    return {
      id,
      title,
      startedAt,
      lastAt,
      messages: shownMessages(messages, { ...cards, reader: readerOf(principal) }),
    };
  }

  /** @throws HelperError `not_found`. */
  async rename(userKey: string, id: string, title: string): Promise<void> {
    const isRenamed = await fromStore(this.#options.kept.retitle(userKey, id, { text: title, by: 'user' }));
    if (!isRenamed) throw unknown();
  }

  /** As `KeptConversations.rate`. */
  rate(...[userKey, id, rating]: Parameters<KeptConversations['rate']>): ReturnType<KeptConversations['rate']> {
    return fromStore(this.#options.kept.rate(userKey, id, rating));
  }

  /**
   * Resolves once the conversation can never come back. A turn that runs in it is stopped and not stored.
   * @throws HelperError `not_found`.
   */
  async delete(userKey: string, id: string): Promise<void> {
    const { kept, forget, clock } = this.#options;
    const isDeleted = await fromStore(kept.delete(userKey, id, clock.now()));
    if (!isDeleted) throw unknown();
    // The store takes nothing of this conversation any more. A replica that cannot be asked now loses nothing but what it shows of it.
    forget({ userKey, conversationId: id }).catch(() => undefined);
  }

  /**
   * The session goes on with one of its user's conversations.
   * @throws HelperError `unauthenticated` without sign-in, `not_found`, and what `Session.replaceConversation` throws.
   */
  async open(
    session: Session,
    id: string,
  ): Promise<{ readonly conversationId: string; readonly messages: readonly ShownMessage[] }> {
    const { principal } = session;
    if (principal.kind === 'anonymous')
      throw new HelperError('unauthenticated', 'Sign in to go back to a conversation.');
    const { kept, cards, forget } = this.#options;
    const opened = await fromStore(kept.open(principal.userKey, id));
    if (opened === undefined) throw unknown();
    const { conversationId } = session.replaceConversation(opened.messages, { id });
    // A deletion since `kept.open` could not find the conversation in this session yet, so look again.
    if (await fromStore(kept.isDeleted(id))) {
      await forget({ userKey: principal.userKey, conversationId: id });
      throw unknown();
    }
    return { conversationId, messages: shownMessages(opened.messages, { ...cards, reader: readerOf(principal) }) };
  }
}

async function fromStore<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw new HelperError('storage_unavailable', 'Conversations cannot be read or changed now. Try again later.', {
      cause,
      retryAfterMs: 1000,
    });
  }
}

function unknown(): HelperError {
  return new HelperError('not_found', 'You have no conversation with this id.');
}
