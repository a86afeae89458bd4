import { InMemoryTurnStore } from '../../src/adapters/stores/in-memory/in-memory-turn-store.ts';
import type { TapeServices } from '../../src/core/record/tape-services.ts';
import { Tape } from '../../src/core/record/tape.ts';
import { recordingLogger } from './quiet.ts';
import { testRecordSealer } from './test-sealer.ts';

/** The real tape of the turn `t`, on a store in memory. */
export function testTape(services: Partial<TapeServices> = {}): Tape {
  return new Tape('t', {
    store: new InMemoryTurnStore(),
    sealer: testRecordSealer(),
    markOf: (userKey) => userKey,
    policy: 'question',
    clock: { now: Date.now, elapsed: () => performance.now() },
    log: recordingLogger(),
    resumeWindowMs: 60_000,
    ...services,
  });
}
