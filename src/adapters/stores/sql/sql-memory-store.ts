import type { FactVectorStore, KeptVector } from '../../../core/ports/fact-vector-store.ts';
import type {
  Fact,
  FactChange,
  MemoryStore,
  PendingCapture,
  SharedCaptures,
} from '../../../core/ports/memory-store.ts';
import { StepRefused } from '../../../core/ports/step-refused.ts';
import type { Holder } from './holder.ts';
import { factOf, noVector, rowOf } from './memory-facts.ts';
import { saidAt } from './said-at.ts';
import { type ChangeRules, erasing, readRows, type SqlDatabase, type Statement, statement } from './sql-database.ts';

const refusal = 'the memory takes no such change: the capture is settled, or there is no such fact';

/** Changes of what is remembered about anybody. */
const ofAll = { refusal, order: 'memory' } as const;

/** How many rows one change deletes. The limit keeps other changes from waiting long. */
const purgedAtOnce = 500;

/** The most replaced facts of a user that are kept. */
const keptReplaced = 200;

/**
 * What is remembered about users in a relational database (contract/memory.md#storage). A capture is settled by removing its words. Its row
 * stays for a while, so that no turn is looked through twice.
 */
export class SqlMemoryStore implements MemoryStore, FactVectorStore {
  readonly captures?: SharedCaptures;
  readonly #database: SqlDatabase;
  readonly #holder: Holder | undefined;

  /** The caller owns and closes `database`. `holder`: this server, where others use the database at the same time. */
  constructor(database: SqlDatabase, holder?: Holder) {
    this.#database = database;
    this.#holder = holder;
    if (holder !== undefined) this.captures = { claim: (turnId) => this.#claim(holder, turnId) };
  }

  async facts(userKey: string): Promise<readonly Fact[]> {
    const current = this.#database.queries
      .selectFrom('memory_fact')
      .select(['id', 'kind', 'text', 'hash', 'turn_id', 'conversation_id', 'at'])
      .where('user_key', '=', userKey)
      .where('superseded_by', 'is', null);
    const rows = await readRows(this.#database, current.orderBy('at', 'desc').orderBy('id'));
    return rows.map(factOf);
  }

  change(userKey: string, { add, replace, remove }: FactChange, turnId: string): Promise<boolean> {
    const { queries } = this.#database;
    const settled = queries
      .updateTable('memory_capture')
      .set({ words: null })
      .where('turn_id', '=', turnId)
      .where('words', 'is not', null);
    const added = [...replace.map(({ by }) => by), ...add].map((fact) =>
      queries.insertInto('memory_fact').values(rowOf(userKey, fact)),
    );
    const replaced = replace.map(({ id, by }) =>
      queries
        .updateTable('memory_fact')
        .set({ superseded_by: by.id, ...noVector })
        .where('user_key', '=', userKey)
        .where((row) => row.or([row('id', '=', id), row('superseded_by', '=', id)])),
    );
    const removed = remove.flatMap((id) => this.#erased(userKey, id));
    return this.#made(userKey, [
      statement(settled, 1),
      ...[...added, ...replaced].map((query) => statement(query)),
      ...removed,
      ...(replace.length > 0 ? [this.#trimmed(userKey)] : []),
    ]);
  }

  correct(userKey: string, { id, text, hash }: Pick<Fact, 'id' | 'text' | 'hash'>, at: number): Promise<boolean> {
    const { queries } = this.#database;
    const corrected = queries
      .updateTable('memory_fact')
      .set({ text, hash, at, ...noVector })
      .where('user_key', '=', userKey)
      .where('id', '=', id)
      .where('superseded_by', 'is', null);
    const old = queries.deleteFrom('memory_fact').where('user_key', '=', userKey).where('superseded_by', '=', id);
    return this.#made(userKey, [
      { ...statement(corrected, 1), erases: true },
      erasing(old),
      ...this.#settledUpTo(userKey, at),
    ]);
  }

  async erase(userKey: string, id: string | undefined, at: number): Promise<number> {
    const statements = [...this.#erased(userKey, id), ...this.#settledUpTo(userKey, at)];
    const [erased] = await this.#database.change(statements, of(userKey));
    return erased?.changes ?? 0;
  }

  async forget(userKey: string): Promise<void> {
    const { queries } = this.#database;
    const deleted = (['memory_fact', 'memory_capture', 'memory_erasure'] as const).map((table) =>
      erasing(queries.deleteFrom(table).where('user_key', '=', userKey)),
    );
    await this.#database.change(deleted, of(userKey));
  }

  async pend(capture: PendingCapture): Promise<boolean> {
    const { queries } = this.#database;
    const { turnId, conversationId, userKey, words } = capture;
    const holder = this.#holder;
    const replica = holder?.replica ?? null;
    const askedAt = holder === undefined ? capture.askedAt : await saidAt(this.#database, holder, capture);
    const row = { turn_id: turnId, conversation_id: conversationId, user_key: userKey, words, asked_at: askedAt };
    const kept = queries
      .insertInto('memory_capture')
      .values({ ...row, replica })
      .onConflict((conflict) => conflict.column('turn_id').doNothing());
    const isErased = queries
      .updateTable('memory_capture')
      .set({ words: null })
      .where('turn_id', '=', turnId)
      .where('words', 'is not', null)
      .where((row) =>
        row.exists(
          row
            .selectFrom('memory_erasure')
            .select('memory_erasure.user_key')
            .whereRef('memory_erasure.user_key', '=', 'memory_capture.user_key')
            .whereRef('memory_erasure.at', '>=', 'memory_capture.asked_at'),
        ),
      );
    const [added, erased] = await this.#database.change([statement(kept), statement(isErased)], of(userKey));
    return added?.changes === 1 && erased?.changes === 0;
  }

  async isPending(turnId: string): Promise<boolean> {
    const open = this.#database.queries
      .selectFrom('memory_capture')
      .select('turn_id')
      .where('turn_id', '=', turnId)
      .where('words', 'is not', null);
    return (await readRows(this.#database, open)).length > 0;
  }

  async pending(): Promise<readonly PendingCapture[]> {
    const holder = this.#holder;
    const open = this.#database.queries
      .selectFrom('memory_capture')
      .selectAll()
      .where('words', 'is not', null)
      .$if(holder !== undefined, (query) =>
        query.where((row) => holder?.isFree(row.ref('memory_capture.replica')) ?? row.lit(true)),
      );
    const rows = await readRows(this.#database, open.orderBy('asked_at').orderBy('turn_id'));
    return rows.map((row) => ({
      turnId: row.turn_id,
      conversationId: row.conversation_id,
      userKey: row.user_key,
      words: row.words ?? '',
      askedAt: row.asked_at,
    }));
  }

  async #claim(holder: Holder, turnId: string): Promise<boolean> {
    const claimed = this.#database.queries
      .updateTable('memory_capture')
      .set({ replica: holder.replica })
      .where('turn_id', '=', turnId)
      .where('words', 'is not', null)
      .where((row) => holder.isFree(row.ref('memory_capture.replica')));
    const [result] = await this.#database.change([statement(claimed)], { refusal, order: `capture ${turnId}` });
    return result?.changes === 1;
  }

  async drop(turnId: string): Promise<void> {
    const settled = this.#database.queries
      .updateTable('memory_capture')
      .set({ words: null })
      .where('turn_id', '=', turnId);
    await this.#database.change([statement(settled)], { refusal, order: `capture ${turnId}` });
  }

  async purge({ facts, captures }: { readonly facts: number; readonly captures: number }): Promise<number> {
    const { queries } = this.#database;
    const oldCaptures = queries.deleteFrom('memory_capture').where('asked_at', '<', captures);
    const oldErasures = queries.deleteFrom('memory_erasure').where('at', '<', captures);
    await this.#database.change([statement(oldCaptures), statement(oldErasures)], ofAll);
    const due = queries.selectFrom('memory_fact').select('id').where('at', '<', facts).limit(purgedAtOnce);
    // A fact that is corrected at this moment stays: the condition is asked again of the row as it is then.
    const deleted = queries.deleteFrom('memory_fact').where('id', 'in', due).where('at', '<', facts);
    let count = 0;
    for (let rows = purgedAtOnce; rows === purgedAtOnce; count += rows) {
      rows = (await this.#database.change([erasing(deleted)], ofAll))[0]?.changes ?? 0;
    }
    return count;
  }

  async vectors(userKey: string, model: string): Promise<readonly KeptVector[]> {
    const kept = this.#database.queries
      .selectFrom('memory_fact')
      .select(['hash', 'vector'])
      .where('user_key', '=', userKey)
      .where('vector_model', '=', model);
    const rows = await readRows(this.#database, kept);
    return rows.map(({ hash, vector }) => ({
      hash,
      numbers: vector === null ? null : Int8Array.from(Buffer.from(vector, 'base64')),
    }));
  }

  async keepVectors(userKey: string, model: string, vectors: readonly KeptVector[]): Promise<void> {
    const { queries } = this.#database;
    const kept = vectors.map(({ hash, numbers }) =>
      queries
        .updateTable('memory_fact')
        .set({ vector_model: model, vector: numbers && Buffer.from(numbers).toString('base64') })
        .where('user_key', '=', userKey)
        .where('hash', '=', hash)
        .where('superseded_by', 'is', null),
    );
    await this.#database.change(
      kept.map((query) => statement(query)),
      of(userKey),
    );
  }

  /** The first statement deletes the facts that count. The number of its changed rows is the number of erased facts. */
  #erased(userKey: string, id: string | undefined): readonly Statement[] {
    const own = this.#database.queries.deleteFrom('memory_fact').where('user_key', '=', userKey);
    const current = own.where('superseded_by', 'is', null);
    if (id === undefined) return [erasing(current), erasing(own)];
    return [erasing(current.where('id', '=', id)), erasing(own.where('superseded_by', '=', id))];
  }

  #settledUpTo(userKey: string, now: number): readonly Statement[] {
    const { queries } = this.#database;
    const at = this.#holder?.now ?? now;
    const settled = queries
      .updateTable('memory_capture')
      .set({ words: null })
      .where('user_key', '=', userKey)
      .where('asked_at', '<=', at);
    const mark = queries
      .insertInto('memory_erasure')
      .values({ user_key: userKey, at })
      .onConflict((conflict) => conflict.column('user_key').doUpdateSet({ at }));
    return [erasing(settled), statement(mark)];
  }

  #trimmed(userKey: string): Statement {
    const { queries } = this.#database;
    const newest = queries
      .selectFrom('memory_fact')
      .select('id')
      .where('user_key', '=', userKey)
      .where('superseded_by', 'is not', null)
      .orderBy('at', 'desc')
      .limit(keptReplaced);
    return statement(
      queries
        .deleteFrom('memory_fact')
        .where('user_key', '=', userKey)
        .where('superseded_by', 'is not', null)
        .where('id', 'not in', newest),
    );
  }

  async #made(userKey: string, statements: readonly Statement[]): Promise<boolean> {
    try {
      await this.#database.change(statements, of(userKey));
      return true;
    } catch (error) {
      if (error instanceof StepRefused) return false;
      throw error;
    }
  }
}

/** Changes of what is remembered about one user. */
function of(userKey: string): ChangeRules {
  return { refusal, order: `memory of ${userKey}` };
}
