import type {
  ConversationAddition,
  ConversationBounds,
  ConversationPlace,
  ConversationStore,
  StoredConversation,
  StoredConversationHead,
  TextOfTurn,
  TitleGiver,
} from '../../../core/ports/conversation-store.ts';
import { type KeptTurnText, newestFirst, withText, withTurn } from '../../../core/conversations/stored-turns.ts';
import { StepRefused } from '../../../core/ports/step-refused.ts';

interface Kept {
  readonly owner: string;
  readonly startedAt: number;
  title: string;
  titledBy: TitleGiver | 'words';
  lastAt: number;
  turns: readonly KeptTurnText[];
}

/** Kept conversations for `storage.type: memory` (contract/restarts.md). They end with the process. */
export class InMemoryConversationStore implements ConversationStore {
  readonly #kept = new Map<string, Kept>();
  /** When each deleted conversation was deleted. */
  readonly #deleted = new Map<string, number>();

  add(addition: ConversationAddition, bounds: ConversationBounds): Promise<void> {
    const { conversation, owner } = addition;
    const { id, title, startedAt, lastAt } = conversation;
    const begun: Kept = { owner, startedAt, title, titledBy: 'words', lastAt, turns: [] };
    const kept = this.#kept.get(id) ?? begun;
    if (kept.owner !== owner || this.#deleted.has(id)) {
      return Promise.reject(new StepRefused(`conversation ${id} was deleted, or is another user's`));
    }
    this.#kept.set(id, kept);
    kept.lastAt = Math.max(kept.lastAt, lastAt);
    kept.turns = withTurn(kept.turns, addition, bounds);
    for (const over of this.#of(owner).slice(bounds.conversationsPerUser)) this.#delete(over.id, lastAt);
    return Promise.resolve();
  }

  page(
    owner: string,
    before: ConversationPlace | undefined,
    limit: number,
  ): Promise<readonly StoredConversationHead[]> {
    const all = this.#of(owner);
    const older = before === undefined ? all : all.filter((head) => newestFirst(before, head) < 0);
    return Promise.resolve(older.slice(0, limit));
  }

  read(owner: string, id: string): Promise<StoredConversation | undefined> {
    const kept = this.#own(owner, id);
    return Promise.resolve(kept && { ...headOf(id, kept), turns: kept.turns });
  }

  retitle(owner: string, id: string, title: { readonly text: string; readonly by: TitleGiver }): Promise<boolean> {
    const kept = this.#own(owner, id);
    if (kept === undefined || (title.by === 'model' && kept.titledBy === 'user')) return Promise.resolve(false);
    kept.title = title.text;
    kept.titledBy = title.by;
    return Promise.resolve(true);
  }

  rewrite(owner: string, id: string, change: TextOfTurn): Promise<boolean> {
    const kept = this.#own(owner, id);
    const turns = kept && withText(kept.turns, change);
    if (kept === undefined || turns === undefined) return Promise.resolve(false);
    kept.turns = turns;
    return Promise.resolve(true);
  }

  delete(owner: string, id: string, at: number): Promise<boolean> {
    const isThere = this.#own(owner, id) !== undefined;
    if (isThere) this.#delete(id, at);
    return Promise.resolve(isThere);
  }

  isDeleted(id: string): Promise<boolean> {
    return Promise.resolve(this.#deleted.has(id));
  }

  erase(owner: string, more: readonly string[], at: number): Promise<number> {
    const stored = this.#of(owner);
    for (const { id } of stored) this.#delete(id, at);
    for (const id of more) if (!this.#kept.has(id)) this.#deleted.set(id, at);
    return Promise.resolve(stored.length);
  }

  purge(before: number, deletedBefore: number, at: number): Promise<number> {
    const old = [...this.#kept].filter(([, { lastAt }]) => lastAt < before);
    for (const [id] of old) this.#delete(id, at);
    for (const [id, deletedAt] of this.#deleted) if (deletedAt < deletedBefore) this.#deleted.delete(id);
    return Promise.resolve(old.length);
  }

  #own(owner: string, id: string): Kept | undefined {
    const kept = this.#kept.get(id);
    return kept?.owner === owner ? kept : undefined;
  }

  #of(owner: string): readonly StoredConversationHead[] {
    const own = [...this.#kept].filter(([, kept]) => kept.owner === owner);
    return own.map(([id, kept]) => headOf(id, kept)).sort(newestFirst);
  }

  #delete(id: string, at: number): void {
    this.#kept.delete(id);
    this.#deleted.set(id, at);
  }
}

function headOf(id: string, { title, startedAt, lastAt }: Kept): StoredConversationHead {
  return { id, title, startedAt, lastAt };
}
