import type { Expression, RawBuilder, SqlBool } from 'kysely';

/** A server as the holder of rows, where several servers use the database at the same time. */
export interface Holder {
  /** The id of this server, another one at each start. */
  readonly replica: string;
  /** The clock that all of these servers share, in epoch milliseconds. */
  readonly now: RawBuilder<number>;
  /** Whether no living server holds a row. `column` names the server that does; null counts as nobody. */
  isFree(column: Expression<string | null>): Expression<SqlBool>;
  /** `listener` is called when this server is heard again after it may have counted as dead. */
  onHeardAgain(listener: () => void): void;
}
