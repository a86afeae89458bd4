import type {
  ConversationBounds,
  ConversationPlace,
  ConversationStore,
  StoredConversation,
  StoredConversationHead,
  StoredConversationTurn,
  TextOfTurn,
  TitleGiver,
} from '../ports/conversation-store.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordSealer } from '../ports/record-sealer.ts';
import { type Feedback, rated } from '../request/feedback.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import { type KeptTurn, readKeptTurn, type SummedBefore, turnContent, withSummaries } from './kept-turn.ts';
import { titleOf } from './title-of.ts';

/**
 * Most messages of one conversation that are kept (contract/sessions.md#kept-conversations). When there are more, the oldest turns are
 * dropped.
 */
export const maxKeptMessages = 1000;

const bounds: ConversationBounds = {
  conversationsPerUser: 500,
  messagesPerConversation: maxKeptMessages,
  lengthPerConversation: 8 * 1024 * 1024,
};

/** The name under which the messages before the first stored turn are kept. No turn has it as its id. */
const beforeFirst = 'before';

/** How often a rating is tried that others of the same conversation overtake. */
const mostRatingTries = 5;

/** What was said in a turn, and what was said before it. */
export interface SaidInConversation {
  readonly conversationId: string;
  /** The user key of its user. */
  readonly owner: string;
  readonly turnId: string;
  /** What was said before this turn. These messages are stored only when the store has nothing of the conversation yet. */
  readonly before: readonly KeptMessage[];
  readonly messages: readonly KeptMessage[];
  /** The summary that this turn has made of the messages before it (contract/sessions.md#summaries). */
  readonly summed?: SummedBefore | undefined;
  /** As in `ConversationAddition`. */
  readonly replaces?: readonly string[];
}

/** A conversation as its user finds it in a list. Times are epoch milliseconds. */
export type ConversationHead = StoredConversationHead;

/** A conversation with what was said in it. */
export interface OpenedConversation extends ConversationHead {
  readonly messages: readonly KeptMessage[];
  /** The messages without those of some turns. A turn that takes the place of others uses it. */
  messagesWithout(...turnIds: readonly (string | undefined)[]): readonly KeptMessage[];
}

/** What conversations are kept with. */
export interface KeptConversationsOptions {
  readonly store: ConversationStore;
  readonly sealer: RecordSealer;
  readonly log: Pick<Logger, 'warn'>;
}

/** The conversations of signed-in users, sealed in the store (contract/sessions.md#kept-conversations). */
export class KeptConversations {
  readonly #options: KeptConversationsOptions;

  constructor(options: KeptConversationsOptions) {
    this.#options = options;
  }

  /**
   * Adds what was said in a turn. Resolves once the addition is durable. Adding the same turn again changes nothing.
   * @throws StepRefused when the conversation was deleted. Any other error means that the store failed.
   */
  async add(said: SaidInConversation): Promise<void> {
    const { conversationId: id, owner, turnId, before, messages, summed, replaces } = said;
    const all = [...before, ...messages];
    const title = this.#options.sealer.seal(titleOf(all), titleName(id));
    const startedAt = all[0]?.at ?? 0;
    const lastAt = messages.at(-1)?.at ?? startedAt;
    await this.#options.store.add(
      {
        conversation: { id, title, startedAt, lastAt },
        owner,
        turn: this.#sealed(id, turnId, { messages, summed }),
        before: before.length === 0 ? undefined : this.#sealed(id, beforeFirst, { messages: before }),
        ...(replaces && { replaces }),
      },
      bounds,
    );
  }

  /** A page of a user's conversations, the newest first. `next` is where the next page begins. */
  async page(
    owner: string,
    before: ConversationPlace | undefined,
    limit: number,
  ): Promise<{ readonly conversations: readonly ConversationHead[]; readonly next?: ConversationPlace }> {
    const found = await this.#options.store.page(owner, before, limit + 1);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      conversations: shown.map((head) => ({ ...head, title: this.#title(head) })),
      ...(found.length > limit && last !== undefined ? { next: { lastAt: last.lastAt, id: last.id } } : {}),
    };
  }

  /** The conversation of the user with this id. Undefined when the user has no such conversation, or when it cannot be opened. */
  async open(owner: string, id: string): Promise<OpenedConversation | undefined> {
    const stored = await this.#options.store.read(owner, id);
    if (stored === undefined) return undefined;
    const opened = stored.turns.map(({ turnId, text }) => this.#opened(id, turnId, text));
    const turns = opened.filter((turn) => turn !== undefined);
    if (turns.length < opened.length) return undefined;
    const said = (...without: readonly (string | undefined)[]): readonly KeptMessage[] =>
      withSummaries(turns.filter(({ turnId }) => !without.includes(turnId)));
    const { title: _, turns: __, ...head } = stored;
    return { ...head, title: this.#title(stored), messages: said(), messagesWithout: said };
  }

  /** Changes the title. False when the user has no such conversation, or when a model would replace a title that the user gave. */
  retitle(owner: string, id: string, title: { readonly text: string; readonly by: TitleGiver }): Promise<boolean> {
    const { store, sealer } = this.#options;
    return store.retitle(owner, id, { text: sealer.seal(title.text, titleName(id)), by: title.by });
  }

  /**
   * Keeps what the user thinks of the reply of a turn; undefined takes it back. Resolves with what was kept before. Undefined when no such turn
   * is kept.
   */
  async rate(
    owner: string,
    id: string,
    rating: { readonly turnId: string; readonly feedback: Feedback | undefined },
  ): Promise<{ readonly before: Feedback | undefined } | undefined> {
    // Another rating of the same turn may be written meanwhile.
    for (let tries = 0; tries < mostRatingTries; tries += 1) {
      const stored = await this.#options.store.read(owner, id);
      const found = stored && this.#ratedTurn(id, stored.turns, rating);
      if (found === undefined) return undefined;
      if (await this.#options.store.rewrite(owner, id, found.change)) return { before: found.before };
    }
    throw new HelperError('storage_unavailable', 'The rating could not be stored. Please try again.');
  }

  /** The stored turn that holds the rated one, with the rating. */
  #ratedTurn(
    id: string,
    turns: StoredConversation['turns'],
    { turnId, feedback }: { readonly turnId: string; readonly feedback: Feedback | undefined },
  ): { readonly change: TextOfTurn; readonly before: Feedback | undefined } | undefined {
    // A turn is nearly always kept under its own name. Opening all that was said in a long conversation takes long.
    const isNamed = (stored: Pick<StoredConversationTurn, 'turnId'>): boolean => stored.turnId === turnId;
    for (const stored of [...turns.filter(isNamed), ...turns.filter((turn) => !isNamed(turn))]) {
      const opened = this.#opened(id, stored.turnId, stored.text);
      const mark = opened?.messages.find(({ turn }) => turn?.turnId === turnId)?.turn;
      if (opened === undefined || mark === undefined) continue;
      const turn = rated(mark, feedback);
      const messages = opened.messages.map((kept) => (kept.turn === mark ? { ...kept, turn } : kept));
      const { text } = this.#sealed(id, stored.turnId, { messages, summed: opened.summed });
      return { change: { turnId: stored.turnId, from: stored.text, to: text }, before: mark.feedback };
    }
    return undefined;
  }

  /** Deletes the conversation. False when the user has no such conversation. */
  delete(owner: string, id: string, at: number): Promise<boolean> {
    return this.#options.store.delete(owner, id, at);
  }

  /** Whether a conversation with this id was deleted. */
  isDeleted(id: string): Promise<boolean> {
    return this.#options.store.isDeleted(id);
  }

  #sealed(id: string, turnId: string, said: KeptTurn): StoredConversationTurn {
    const text = this.#options.sealer.seal(turnContent(said), turnName(id, turnId));
    return { turnId, text, messages: said.messages.length };
  }

  /** What was said in a stored turn. Undefined when its key is gone, or when another version of the server has written it. */
  #opened(id: string, turnId: string, text: string): (KeptTurn & { readonly turnId: string }) | undefined {
    const { sealer, log } = this.#options;
    try {
      return { turnId, ...readKeptTurn(sealer.open(text, turnName(id, turnId))) };
    } catch (error) {
      log.warn(
        { error, conversationId: id },
        'a conversation cannot be opened: were the keys of dataProtection changed?',
      );
      return undefined;
    }
  }

  /** The title of a conversation. Empty when the key of the title is gone. */
  #title({ id, title }: StoredConversationHead): string {
    const { sealer, log } = this.#options;
    try {
      return sealer.open(title, titleName(id));
    } catch (error) {
      log.warn({ error, conversationId: id }, 'the title of a conversation cannot be opened');
      return '';
    }
  }
}

/** The name that a turn is sealed with. A text that is sealed under one name cannot be opened under another. */
function turnName(id: string, turnId: string): string {
  return `conversation/${id}/${turnId}`;
}

function titleName(id: string): string {
  return `conversation/${id}//title`;
}
