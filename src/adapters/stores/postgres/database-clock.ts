import { sql } from 'kysely';

/** The clock of the database, in epoch milliseconds. The clocks of the servers may differ. */
export const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
