import {
  createAesSnapshotSealer,
  type SnapshotSealerOptions,
} from '../../src/adapters/snapshots/aes-snapshot-sealer.ts';
import { readSnapshotKey, type SnapshotKey } from '../../src/adapters/snapshots/snapshot-key.ts';
import { createAesRecordSealer } from '../../src/adapters/snapshots/aes-record-sealer.ts';
import type { RecordSealer } from '../../src/core/ports/record-sealer.ts';
import type { SnapshotSealer } from '../../src/core/ports/snapshot-sealer.ts';

/** A key with 32 equal bytes. */
export function testKey(byte: number): SnapshotKey {
  return readSnapshotKey(Buffer.alloc(32, byte).toString('base64'));
}

/** The real sealer of records, with a key of its own. */
export function testRecordSealer(): RecordSealer {
  return createAesRecordSealer([testKey(1)]);
}

/** The real sealer, with a key of its own. */
export function testSealer(options: Partial<SnapshotSealerOptions> = {}): SnapshotSealer {
  return createAesSnapshotSealer({
    keys: [testKey(1)],
    application: 'Test',
    maxAgeMs: 86_400_000,
    now: Date.now,
    ...options,
  });
}
