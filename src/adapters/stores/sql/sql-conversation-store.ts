import type { Compilable, SelectQueryBuilder } from 'kysely';
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
import { ConversationTurnStatements } from './conversation-turn-statements.ts';
import { type ChangeRules, erasing, readRows, rowsOf, type SqlDatabase, statement } from './sql-database.ts';
import type { Tables } from './tables.ts';

/** How many conversations one change deletes. The limit keeps other changes from waiting long. */
const deletedAtOnce = 50;

/** The columns of a deleted conversation. Only its id and the time stay, so that nothing of it is stored again. */
const deleted = (at: number) => ({ owner: '', title: '', titled_by: '', deleted_at: at }) as const;

/** Kept conversations in a relational database. A deleted conversation leaves a row with nothing but its id and the time. */
export class SqlConversationStore implements ConversationStore {
  readonly #database: SqlDatabase;
  readonly #turns: ConversationTurnStatements;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase) {
    this.#database = database;
    this.#turns = new ConversationTurnStatements(database.queries);
  }

  async add(
    { conversation, owner, turn, before, replaces = [] }: ConversationAddition,
    bounds: ConversationBounds,
  ): Promise<void> {
    const { id } = conversation;
    const over = this.#ids(owner)
      .orderBy('last_at', 'desc')
      .orderBy('conversation_id', 'desc')
      .limit(deletedAtOnce)
      .offset(bounds.conversationsPerUser);
    await this.#database.change(
      [
        statement(this.#begunOrContinued(conversation, owner), 1),
        ...(before === undefined ? [] : [statement(this.#turns.begin(id, before))]),
        ...replaces.map((turnId) => statement(this.#turns.remove(id, turnId))),
        statement(this.#turns.append(id, turn, replaces[0])),
        statement(this.#turns.trim(id, bounds)),
        ...this.#gone(over, conversation.lastAt),
      ],
      of(owner, `conversation ${id} takes no such turn: it was deleted, or is another user's`),
    );
  }

  async page(
    owner: string,
    before: ConversationPlace | undefined,
    limit: number,
  ): Promise<readonly StoredConversationHead[]> {
    const all = this.#heads(owner);
    const older =
      before === undefined
        ? all
        : all.where((row) =>
            row.or([
              row('last_at', '<', before.lastAt),
              row.and([row('last_at', '=', before.lastAt), row('conversation_id', '<', before.id)]),
            ]),
          );
    const newestFirst = older.orderBy('last_at', 'desc').orderBy('conversation_id', 'desc').limit(limit);
    return (await readRows(this.#database, newestFirst)).map(headOf);
  }

  async read(owner: string, id: string): Promise<StoredConversation | undefined> {
    const head = this.#heads(owner).where('conversation_id', '=', id);
    const turns = this.#turns.all(id);
    const [found, said] = await this.#database.read([statement(head), statement(turns)]);
    const row = rowsOf(head, found)[0];
    if (row === undefined) return undefined;
    return { ...headOf(row), turns: rowsOf(turns, said).map(({ turn_id: turnId, text }) => ({ turnId, text })) };
  }

  async retitle(
    owner: string,
    id: string,
    title: { readonly text: string; readonly by: TitleGiver },
  ): Promise<boolean> {
    const own = this.#database.queries
      .updateTable('conversation')
      .set({ title: title.text, titled_by: title.by })
      .where('conversation_id', '=', id)
      .where('owner', '=', owner)
      .where('deleted_at', 'is', null);
    const change = title.by === 'user' ? own : own.where('titled_by', '!=', 'user');
    const [result] = await this.#database.change([statement(change)], of(owner, 'a conversation cannot be renamed'));
    return result?.changes === 1;
  }

  async rewrite(owner: string, id: string, change: TextOfTurn): Promise<boolean> {
    const rewritten = erasing(this.#turns.rewrite(id, change, this.#ids(owner)));
    const [result] = await this.#database.change([rewritten], of(owner, 'a turn cannot be rewritten'));
    return result?.changes === 1;
  }

  async delete(owner: string, id: string, at: number): Promise<boolean> {
    const found = this.#ids(owner).where('conversation_id', '=', id);
    const results = await this.#database.change(this.#gone(found, at), of(owner, 'a conversation cannot be deleted'));
    return results.at(-1)?.changes === 1;
  }

  async isDeleted(id: string): Promise<boolean> {
    const found = this.#database.queries
      .selectFrom('conversation')
      .select('conversation_id')
      .where('conversation_id', '=', id)
      .where('deleted_at', 'is not', null);
    return (await readRows(this.#database, found)).length > 0;
  }

  async erase(owner: string, more: readonly string[], at: number): Promise<number> {
    const { queries } = this.#database;
    const results = await this.#database.change(
      [
        ...more.map((id) =>
          statement(
            queries
              .insertInto('conversation')
              .values({ conversation_id: id, started_at: at, last_at: at, ...deleted(at) })
              .onConflict((conflict) => conflict.doNothing()),
          ),
        ),
        ...this.#gone(this.#ids(owner), at),
      ],
      of(owner, 'conversations cannot be erased'),
    );
    return results.at(-1)?.changes ?? 0;
  }

  async purge(before: number, deletedBefore: number, at: number): Promise<number> {
    const { queries } = this.#database;
    const old = queries
      .selectFrom('conversation')
      .select(['conversation_id', 'owner'])
      .where('deleted_at', 'is', null)
      .where('last_at', '<', before)
      .limit(deletedAtOnce);
    let purged = 0;
    for (let count = deletedAtOnce; count === deletedAtOnce; purged += count) {
      const owners = Map.groupBy(await readRows(this.#database, old), ({ owner }) => owner);
      count = 0;
      for (const [owner, rows] of owners) {
        const ids = rows.map((row) => row.conversation_id);
        // A conversation that went on meanwhile is not old any more.
        const these = this.#ids(owner).where('conversation_id', 'in', ids).where('last_at', '<', before);
        const rules = of(owner, 'old conversations cannot be deleted');
        const results = await this.#database.change(this.#gone(these, at), rules);
        count += results.at(-1)?.changes ?? 0;
      }
    }
    const forget = queries.deleteFrom('conversation').where('deleted_at', '<', deletedBefore);
    await this.#database.change([statement(forget)], {
      refusal: 'deleted conversations cannot be forgotten',
      order: 'deleted conversations',
    });
    return purged;
  }

  /** Begins the conversation, or updates its last moment. Changes no row when the conversation is deleted or belongs to another owner. */
  #begunOrContinued({ id, title, startedAt, lastAt }: StoredConversationHead, owner: string): Compilable {
    return this.#database.queries
      .insertInto('conversation')
      .values({
        conversation_id: id,
        owner,
        title,
        titled_by: 'words',
        started_at: startedAt,
        last_at: lastAt,
        deleted_at: null,
      })
      .onConflict((conflict) =>
        conflict
          .column('conversation_id')
          .doUpdateSet((row) => ({
            last_at: row
              .case()
              .when('conversation.last_at', '<', lastAt)
              .then(lastAt)
              .else(row.ref('conversation.last_at'))
              .end(),
          }))
          .where('conversation.owner', '=', owner)
          .where('conversation.deleted_at', 'is', null),
      );
  }

  /** Deletes the conversations that `ids` finds. The last statement changes one row for each conversation. */
  #gone(ids: Ids, at: number): ReturnType<typeof statement>[] {
    const { queries } = this.#database;
    return [
      erasing(queries.deleteFrom('conversation_turn').where('conversation_id', 'in', ids)),
      erasing(queries.updateTable('conversation').set(deleted(at)).where('conversation_id', 'in', ids)),
    ];
  }

  #ids(owner: string): Ids {
    return this.#database.queries
      .selectFrom('conversation')
      .select('conversation_id')
      .where('owner', '=', owner)
      .where('deleted_at', 'is', null);
  }

  #heads(owner: string): Heads {
    return this.#ids(owner).select(['title', 'started_at', 'last_at']);
  }
}

/** Changes of one user's conversations. */
function of(owner: string, refusal: string): ChangeRules {
  return { refusal, order: `conversations of ${owner}` };
}

/** A query for conversations without what was said in them. */
type Heads = SelectQueryBuilder<Tables, 'conversation', Parameters<typeof headOf>[0]>;

/** A query for the ids of conversations. */
type Ids = SelectQueryBuilder<Tables, 'conversation', { conversation_id: string }>;

function headOf(row: {
  readonly conversation_id: string;
  readonly title: string;
  readonly started_at: number;
  readonly last_at: number;
}): StoredConversationHead {
  return { id: row.conversation_id, title: row.title, startedAt: row.started_at, lastAt: row.last_at };
}
