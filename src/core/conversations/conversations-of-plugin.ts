import { OneAtATime } from '../base/one-at-a-time.ts';
import { untilStopped } from '../base/until-stopped.ts';
import type {
  ConversationAddition,
  ConversationBounds,
  ConversationPlace,
  ConversationStore,
  StoredConversation,
  StoredConversationHead,
  TextOfTurn,
  TitleGiver,
} from '../ports/conversation-store.ts';
import type { HistoryKeeper } from '../ports/history-keeper.ts';
import type { Logger } from '../ports/logger.ts';
import { StepRefused } from '../ports/step-refused.ts';
import { contentOf, readContent } from './history-content.ts';
import { newestFirst, withText, withTurn } from './stored-turns.ts';

/** No conversation has this owner. `erase` with this owner only remembers the ids as deleted and erases nothing else. */
const nobody = '';

type HistoryFunction = 'list' | 'read' | 'save' | 'remove';

/** What conversations of a plugin are kept with. */
export interface ConversationsOfPluginOptions {
  readonly keeper: HistoryKeeper;
  /** Remembers which conversations were deleted. A deleted conversation therefore never comes back, whatever the plugin does. */
  readonly deleted: ConversationStore;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Conversations that a plugin keeps (contract/sessions.md#conversations-in-a-store-of-your-own). The changes of one user are made one after
 * the other, so that a change that began before an erasure cannot be written after it.
 */
export class ConversationsOfPlugin implements ConversationStore {
  readonly #options: ConversationsOfPluginOptions;
  readonly #inTurn = new OneAtATime();
  readonly #failing = new Set<HistoryFunction>();

  constructor(options: ConversationsOfPluginOptions) {
    this.#options = options;
  }

  add(addition: ConversationAddition, bounds: ConversationBounds): Promise<void> {
    const { conversation, owner } = addition;
    const { id, lastAt } = conversation;
    return this.#inTurn.do(owner, async () => {
      if (await this.isDeleted(id)) throw new StepRefused(`conversation ${id} was deleted`);
      const kept = await this.#kept(owner, id);
      const { titledBy = 'words', turns = [] } = kept ?? {};
      const content = contentOf({ titledBy, turns: withTurn(turns, addition, bounds) });
      const head = kept === undefined ? conversation : { ...kept.head, lastAt: Math.max(kept.head.lastAt, lastAt) };
      await this.#asked('save', (keeper, signal) => keeper.save(owner, { ...head, content }, signal));
      if (kept === undefined) await this.#trim(owner, bounds, lastAt);
    });
  }

  async page(
    owner: string,
    before: ConversationPlace | undefined,
    limit: number,
  ): Promise<readonly StoredConversationHead[]> {
    const page: StoredConversationHead[] = [];
    for await (const head of this.#standing(owner)) {
      if (before === undefined || newestFirst(before, head) < 0) page.push(head);
      if (page.length === limit) break;
    }
    return page;
  }

  async read(owner: string, id: string): Promise<StoredConversation | undefined> {
    if (await this.isDeleted(id)) return undefined;
    const kept = await this.#kept(owner, id);
    return kept && { ...kept.head, turns: kept.turns };
  }

  retitle(owner: string, id: string, title: { readonly text: string; readonly by: TitleGiver }): Promise<boolean> {
    return this.#inTurn.do(owner, async () => {
      const kept = (await this.isDeleted(id)) ? undefined : await this.#kept(owner, id);
      if (kept === undefined || (title.by === 'model' && kept.titledBy === 'user')) return false;
      const content = contentOf({ titledBy: title.by, turns: kept.turns });
      await this.#asked('save', (keeper, signal) =>
        keeper.save(owner, { ...kept.head, title: title.text, content }, signal),
      );
      return true;
    });
  }

  rewrite(owner: string, id: string, change: TextOfTurn): Promise<boolean> {
    return this.#inTurn.do(owner, async () => {
      const kept = (await this.isDeleted(id)) ? undefined : await this.#kept(owner, id);
      const turns = kept && withText(kept.turns, change);
      if (kept === undefined || turns === undefined) return false;
      const content = contentOf({ titledBy: kept.titledBy, turns });
      await this.#asked('save', (keeper, signal) => keeper.save(owner, { ...kept.head, content }, signal));
      return true;
    });
  }

  delete(owner: string, id: string, at: number): Promise<boolean> {
    return this.#inTurn.do(owner, async () => {
      if ((await this.#kept(owner, id)) === undefined) return false;
      const isFirst = !(await this.isDeleted(id));
      await this.#remove(owner, id, at);
      return isFirst;
    });
  }

  isDeleted(id: string): Promise<boolean> {
    return this.#options.deleted.isDeleted(id);
  }

  erase(owner: string, more: readonly string[], at: number): Promise<number> {
    return this.#inTurn.do(owner, async () => {
      const ids: string[] = [];
      for await (const { id } of this.#standing(owner)) ids.push(id);
      // The storage of the server may still hold conversations from before the plugin kept them.
      const stored = await this.#options.deleted.erase(owner, [...new Set([...ids, ...more])], at);
      await this.#asked('remove', (keeper, signal) => keeper.remove(owner, undefined, signal));
      return ids.length + stored;
    });
  }

  /** Deletes nothing in the plugin: the plugin decides itself how long it keeps conversations. */
  purge(before: number, deletedBefore: number, at: number): Promise<number> {
    return this.#options.deleted.purge(before, deletedBefore, at);
  }

  async #trim(owner: string, { conversationsPerUser }: ConversationBounds, at: number): Promise<void> {
    const over = (await this.#heads(owner)).slice(conversationsPerUser);
    for (const { id } of over) await this.#remove(owner, id, at);
  }

  /** Remembers the id as deleted before the plugin is asked. If the plugin then fails, nobody can read what it still has. */
  async #remove(owner: string, id: string, at: number): Promise<void> {
    await this.#options.deleted.erase(nobody, [id], at);
    await this.#asked('remove', (keeper, signal) => keeper.remove(owner, id, signal));
  }

  /** The conversations that were not deleted. The plugin may still have deleted ones. */
  async *#standing(owner: string): AsyncGenerator<StoredConversationHead> {
    for (const head of await this.#heads(owner)) if (!(await this.isDeleted(head.id))) yield head;
  }

  async #heads(owner: string): Promise<readonly StoredConversationHead[]> {
    return (await this.#asked('list', (keeper, signal) => keeper.list(owner, signal))).toSorted(newestFirst);
  }

  /** @throws Error when the plugin gives back another content than was saved. */
  async #kept(owner: string, id: string) {
    const found = await this.#asked('read', (keeper, signal) => keeper.read(owner, id, signal));
    if (found === undefined) return undefined;
    const { content, ...head } = found;
    return { head, ...readContent(content) };
  }

  /**
   * Calls a function of the plugin. When the function fails several times in a row, only the first failure is logged, because failed work
   * is tried again.
   */
  async #asked<Value>(
    name: HistoryFunction,
    ask: (keeper: HistoryKeeper, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const { keeper, log } = this.#options;
    const limit = AbortSignal.timeout(keeper.timeoutMs);
    try {
      const value = await untilStopped(ask(keeper, limit), limit);
      this.#failing.delete(name);
      return value;
    } catch (error) {
      if (!this.#failing.has(name)) {
        log.warn({ error, plugin: keeper.name, function: name }, 'the chatHistoryProvider of a plugin failed');
      }
      this.#failing.add(name);
      throw error;
    }
  }
}
