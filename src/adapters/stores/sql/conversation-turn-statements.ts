import type { Compilable, Kysely, SelectQueryBuilder } from 'kysely';
import type { ConversationBounds, StoredConversationTurn, TextOfTurn } from '../../../core/ports/conversation-store.ts';
import type { Tables } from './tables.ts';

/** A query for turns. */
type Turns = SelectQueryBuilder<Tables, 'conversation_turn', object>;

/** The statements that change what is stored of the turns of one conversation. */
export class ConversationTurnStatements {
  readonly #queries: Kysely<Tables>;

  constructor(queries: Kysely<Tables>) {
    this.#queries = queries;
  }

  /** Stores what was said before the first stored turn, unless something is stored already. */
  begin(id: string, before: StoredConversationTurn): Compilable {
    return this.#insert(id, before, { unless: this.#of(id) });
  }

  /** Stores a turn behind the others, unless it is stored already, or a copy of it has taken its place. */
  append(id: string, turn: StoredConversationTurn, replaces: string | undefined): Compilable {
    return this.#insert(id, turn, { replaces, unless: this.#of(id).where('replaces', '=', turn.turnId) });
  }

  remove(id: string, turnId: string): Compilable {
    return this.#queries
      .deleteFrom('conversation_turn')
      .where('conversation_id', '=', id)
      .where('turn_id', '=', turnId);
  }

  /** Puts another text in the place of `from`, where the conversation is among `own`. */
  rewrite(
    id: string,
    { turnId, from, to }: TextOfTurn,
    own: SelectQueryBuilder<Tables, 'conversation', { conversation_id: string }>,
  ): Compilable {
    return this.#queries
      .updateTable('conversation_turn')
      .set({ text: to, length: to.length })
      .where('conversation_id', '=', id)
      .where('conversation_id', 'in', own)
      .where('turn_id', '=', turnId)
      .where('text', '=', from);
  }

  /** Deletes the oldest turns until what is left is within the bounds. The last turn stays. */
  trim(id: string, { messagesPerConversation, lengthPerConversation }: ConversationBounds): Compilable {
    const sums = this.#queries
      .selectFrom('conversation_turn')
      .where('conversation_id', '=', id)
      .select(({ fn }) => [
        'number',
        fn
          .sum<number>('messages')
          .over((window) => window.orderBy('number', 'desc'))
          .as('messages_from_here'),
        fn
          .sum<number>('length')
          .over((window) => window.orderBy('number', 'desc'))
          .as('length_from_here'),
      ])
      .as('sums');
    const lastOver = this.#queries
      .selectFrom(sums)
      .select(({ fn }) => fn.max('number').as('number'))
      .where((row) =>
        row.or([
          row('messages_from_here', '>', messagesPerConversation),
          row('length_from_here', '>', lengthPerConversation),
        ]),
      );
    return this.#queries
      .deleteFrom('conversation_turn')
      .where('conversation_id', '=', id)
      .where('number', '<=', lastOver)
      .where(
        'number',
        '<',
        this.#of(id).select(({ fn }) => fn.max('number').as('number')),
      );
  }

  /** All turns, the oldest first. */
  all(id: string): SelectQueryBuilder<Tables, 'conversation_turn', { turn_id: string; text: string }> {
    return this.#of(id).select(['turn_id', 'text']).orderBy('number');
  }

  #insert(
    id: string,
    turn: StoredConversationTurn,
    { replaces, unless }: { readonly replaces?: string | undefined; readonly unless: Turns },
  ): Compilable {
    const { turnId, text, messages } = turn;
    return this.#queries
      .insertInto('conversation_turn')
      .columns(['conversation_id', 'turn_id', 'number', 'text', 'length', 'messages', 'replaces'])
      .expression(
        this.#queries
          .selectNoFrom((value) => [
            value.val(id).as('conversation_id'),
            value.val(turnId).as('turn_id'),
            value
              .selectFrom('conversation_turn')
              .where('conversation_id', '=', id)
              .select((row) => row(row.fn.coalesce(row.fn.max('number'), row.lit(0)), '+', 1).as('number'))
              .as('number'),
            value.val(text).as('text'),
            value.val(text.length).as('length'),
            value.val(messages).as('messages'),
            value.val(replaces ?? null).as('replaces'),
          ])
          .where((row) => row.not(row.exists(unless.select('turn_id')))),
      )
      .onConflict((conflict) => conflict.doNothing());
  }

  #of(id: string): Turns {
    return this.#queries.selectFrom('conversation_turn').where('conversation_id', '=', id);
  }
}
