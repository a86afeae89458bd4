import { randomId } from '../base/random-id.ts';
import { HelperError } from '../errors/helper-error.ts';
import { erasedKey } from '../identity/user-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfirmationJournal } from '../ports/confirmation-journal.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import type { DeliveryStore } from '../ports/delivery-store.ts';
import type { ErasureStore } from '../ports/erasure-store.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordSealer } from '../ports/record-sealer.ts';
import type { TaskStore } from '../ports/task-store.ts';
import type { KeptTurn, TurnStore } from '../ports/turn-store.ts';
import { openHeader } from '../record/opened-turn.ts';
import type { TurnHeader } from '../record/turn-header.ts';

/** How many headers of turns are read at once. A header holds the images of its message. */
const headersAtOnce = 20;

/** The number of items of each kind that were erased or given a pseudonym. */
export interface Erased {
  readonly conversations: number;
  readonly facts: number;
  readonly journal: number;
  /** Tasks of other agents that asked as the user. */
  readonly tasks: number;
}

/** The data of users that a serving process holds in memory. */
export interface LiveUsers {
  /** Ids of the user's conversations that are open. */
  openConversations(userKey: string): readonly string[] | Promise<readonly string[]>;
  /** Empties the user's conversations and stops their turns. Resolves to false when one of the turns still runs. */
  forgetConversations(meant: { readonly userKey: string }): Promise<boolean>;
}

/** The stores and services that an erasure needs. */
export interface UserErasureOptions {
  readonly conversations: ConversationStore;
  readonly erasures: ErasureStore;
  readonly journal: Pick<ConfirmationJournal, 'rename'>;
  readonly turns: Pick<TurnStore, 'headers' | 'delete'>;
  /** Opens the sealed records of turns. */
  readonly sealer: Pick<RecordSealer, 'open'>;
  /** Left out: no process serves users. */
  readonly live?: LiveUsers | undefined;
  /** The marks of a user key, one for each key of `dataProtection`. New marks are written with the first one. */
  readonly marks: (userKey: string) => readonly [string, ...(readonly string[])];
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds by which the clocks of servers may differ that use these stores. 0 where one server at a time does. */
  readonly clocksApartMs: number;
  readonly log: Pick<Logger, 'info'>;
  readonly facts: Pick<MemoryStore, 'erase' | 'forget'>;
  readonly tasks: Pick<TaskStore, 'erase'>;
  readonly deliveries: Pick<DeliveryStore, 'erase'>;
}

/**
 * Erases all data of a user (contract/sessions.md#erasing). Approved actions stay in the journal under a pseudonym. Data that was reported
 * as erased never comes back: each step is durable before the next one begins. After a crash the erasure can be requested again.
 */
export class UserErasure {
  readonly #options: UserErasureOptions;

  constructor(options: UserErasureOptions) {
    this.#options = options;
  }

  /** The epoch milliseconds up to which this user's data counts as erased. Undefined when it never was. */
  erasedAt(userKey: string): Promise<number | undefined> {
    const { erasures, marks } = this.#options;
    return erasures.erasedAt(marks(userKey));
  }

  /**
   * Resolves once everything is erased.
   * @throws HelperError `turn_in_progress` when a turn of the user could not be stopped in time, `storage_unavailable` when the store
   * failed. A later call erases the data that is left.
   */
  async erase(userKey: string): Promise<Erased> {
    try {
      return await this.#erase(userKey);
    } catch (cause) {
      if (cause instanceof HelperError) throw cause;
      const text = 'Not everything could be erased: the storage failed. Ask again.';
      throw new HelperError('storage_unavailable', text, { cause, retryAfterMs: 1000 });
    }
  }

  async #erase(userKey: string): Promise<Erased> {
    const {
      conversations,
      erasures,
      journal,
      turns,
      live,
      marks,
      clock,
      clocksApartMs,
      log,
      facts,
      tasks,
      deliveries,
    } = this.#options;
    const at = clock.now();
    // What another server has done before this moment may have a later time.
    const latest = at + clocksApartMs;
    const open = (await live?.openConversations(userKey)) ?? [];
    const kept = await this.#keptTurns(userKey, latest);
    // After this mark no snapshot of the user is taken, and no running turn of the user is stored.
    await erasures.mark(marks(userKey)[0], latest);
    const ids = [...open, ...kept.map(({ conversationId }) => conversationId)];
    const erased = await conversations.erase(userKey, [...new Set(ids)], at);
    const isOver = (await live?.forgetConversations({ userKey })) ?? true;
    // A snapshot that was saved since the first mark may hold erased data. The second mark covers that snapshot.
    await erasures.mark(marks(userKey)[0], clock.now() + clocksApartMs);
    // A turn that was still running may have been stored in the meantime.
    const ended = [...kept, ...(await this.#keptTurns(userKey, latest))].map(({ turnId }) => turnId);
    if (isOver) await turns.delete([...new Set(ended)]);
    const erasedFacts = await facts.erase(userKey, undefined, clock.now());
    // While a turn of the user runs, the memory must still know of this erasure, so that the turn brings no erased fact back.
    if (isOver) await facts.forget(userKey);
    const erasedTasks = await tasks.erase(userKey);
    await deliveries.erase(userKey);
    const pseudonym = `${erasedKey}${randomId()}`;
    const renamed = await journal.rename(userKey, pseudonym);
    if (!isOver) {
      const text = 'An action of this user still runs. Everything else was erased: ask again once it is over.';
      throw new HelperError('turn_in_progress', text, { retryAfterMs: 10_000 });
    }
    const counts = { conversations: erased, facts: erasedFacts, journal: renamed, tasks: erasedTasks };
    log.info({ pseudonym, ...counts }, 'the data of a user was erased');
    return counts;
  }

  /** The user's turns that the store keeps, either for resuming or until their questions are answered. */
  async #keptTurns(userKey: string, before: number): Promise<readonly TurnHeader[]> {
    const own: TurnHeader[] = [];
    // Turns without a mark are those of older versions, which a rolling update still adds. They may be anybody's.
    for (const owner of [...this.#options.marks(userKey), null]) {
      for await (const header of this.#headers(owner)) {
        if (header.principal.userKey === userKey && header.askedAt <= before) own.push(header);
      }
    }
    return own;
  }

  /** The headers of all kept turns with this mark. */
  async *#headers(owner: string | null): AsyncGenerator<TurnHeader> {
    const { turns, sealer } = this.#options;
    for (let after: string | undefined = ''; after !== undefined;) {
      const page: readonly Pick<KeptTurn, 'turnId' | 'header'>[] = await turns.headers({
        owner,
        after,
        limit: headersAtOnce,
      });
      for (const stored of page) {
        const header = headerOf(() => openHeader(stored, sealer));
        if (header !== undefined) yield header;
      }
      after = page.length < headersAtOnce ? undefined : page.at(-1)?.turnId;
    }
  }
}

/** The header of a turn. Undefined when the key of the turn is gone, because nobody can read the turn any more. */
function headerOf(open: () => TurnHeader): TurnHeader | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
