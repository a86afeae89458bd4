/**
 * Milliseconds that a test waits for something to become so: the one limit of all waits. It ends a wait that would never end;
 * nothing is proved by it, and no test takes as long.
 */
export const patienceMs = 120_000;

/** Milliseconds that a test may take: several waits, each of which has come to its end. A test that plays rounds adds some for each. */
export const testLimitMs = 300_000;
