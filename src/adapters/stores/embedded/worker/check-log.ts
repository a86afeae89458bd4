import { readFileSync } from 'node:fs';
import type { StorageFiles } from '../storage-files.ts';
import { StorageFault } from './fault-of.ts';
import { type IndexedLog, isLater, isLogBegun, readFrames, readIndex, readLogHeader } from './write-ahead-log.ts';

/**
 * SQLite takes a damaged write-ahead log for one that ends at the damage, and forgets what was committed behind it. So the
 * log that a crash left is looked through before SQLite opens it.
 *
 * Not everything behind the first bad frame was ever acknowledged. A commit that the disk did not take leaves its frames behind the last
 * commit that succeeded, and the next commit is written over them. Where that one is shorter, the rest of the failed one
 * stays behind it: good frames that follow on from frames which are not there any more. Two things show that more was lost:
 *
 * - The index says how many frames were committed. It is in memory that processes share, so it is exact after a crash of the
 *   process. A power cut may leave an older state of it, which then says too little.
 * - SQLite builds a frame on a commit only when that commit has succeeded. A frame behind the damage that follows on from a
 *   commit which is behind the damage too shows that the bad frame was on the disk before. Failed commits never look like
 *   that: each begins where the last one that succeeded ends.
 *
 * Some cases look alike. Without an exact index, damage to the last commit is a commit that a crash cut short. So is damage to the
 * checksum of the one before it, and the loss of the whole end of the log. After a sync that failed, SQLite may find the failed
 * commit whole when it opens the log again, and build on it; a power cut that then loses the failed commit counts as damage.
 * @throws StorageFault LOG_DAMAGED when something that was acknowledged is not in the log any more.
 */
export function checkLog(files: StorageFiles): void {
  const log = readIfThere(files.log);
  const indexed = readIndex(readIfThere(files.logIndex));
  if (!isLogBegun(log)) {
    // No page of the log would hide one of the database.
    if (indexed !== undefined && indexed.frames > indexed.inDatabase) throw damaged(files.log);
    return;
  }
  const header = readLogHeader(log);
  if (header === undefined) throw damaged(files.log);
  const { valid, goesOn } = readFrames(log, header);
  if (goesOn || valid < framesExpected(indexed, header.salt)) throw damaged(files.log);
}

/** How many frames a log with this salt must have by its index; more than any log has when it is not the log of the index. */
function framesExpected(indexed: IndexedLog | undefined, salt: Buffer): number {
  if (indexed === undefined) return 0;
  if (indexed.salt.equals(salt)) return indexed.frames;
  // The log was begun again, and with that the frames that an old state of the index speaks of were in the database.
  if (isLater(salt, indexed.salt)) return 0;
  return indexed.frames > indexed.inDatabase ? Infinity : 0;
}

function damaged(log: string): StorageFault {
  return new StorageFault('LOG_DAMAGED', `its write-ahead log ${log} is damaged or missing`);
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
