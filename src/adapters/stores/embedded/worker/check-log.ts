import { readFileSync } from 'node:fs';
import type { StorageFiles } from '../storage-files.ts';
import { StorageFault } from './fault-of.ts';
import { type IndexedLog, isLater, isLogBegun, readFrames, readIndex, readLogHeader } from './write-ahead-log.ts';

/**
 * Looks for damage in the log that a crash left, before SQLite opens it. SQLite treats a damaged write-ahead log as one that ends at the
 * damage, so it would forget all commits behind the damage.
 *
 * Frames behind the first bad frame may be remains of a commit that was never acknowledged. When the disk does not take a commit, its
 * frames stay behind the last commit that succeeded. The next commit overwrites them. When that commit is shorter, the rest of the failed
 * commit stays behind it: good frames that follow on from frames which are gone. Two things show that a successful commit was lost:
 *
 * - The index of the log says how many frames were committed. Processes share the index in memory, so it is exact after a crash of the
 *   process.
 * - SQLite builds a frame on a commit only when that commit has succeeded. When a frame behind the damage follows on from a commit behind
 *   the damage, the bad frame was whole on the disk before. Failed commits never look like that: each of them begins where the last
 *   successful commit ends.
 *
 * After a power cut the index may also be newer than the log: commits that are synced later are in it before they are on the disk. So its number
 * counts only on a machine that has not started again since, where it is exact.
 *
 * Some cases cannot be told apart. Without an exact index, damage to the last commit looks like a commit that a crash cut short. The same
 * is true of damage to the checksum of the commit before the last one, and of a log whose whole end is lost. After a sync that failed,
 * SQLite may find the failed commit whole when it opens the log again, and build on it. When a power cut then loses that commit, this
 * counts as damage. So does a power cut that loses the first of two commits that were to be synced later, and not the second.
 * @throws StorageFault LOG_DAMAGED when something that was acknowledged is not in the log any more.
 */
export function checkLog(files: StorageFiles, isSameBoot = true): void {
  const log = readIfThere(files.log);
  const indexed = readIndex(readIfThere(files.logIndex));
  if (!isLogBegun(log)) {
    // SQLite would read the pages of the database alone. Committed frames that are not in the database yet would be lost.
    if (indexed !== undefined && indexed.frames > indexed.inDatabase) throw damaged(files.log);
    return;
  }
  const header = readLogHeader(log);
  if (header === undefined) throw damaged(files.log);
  const { valid, goesOn } = readFrames(log, header);
  if (goesOn || valid < framesExpected(indexed, header.salt, isSameBoot)) throw damaged(files.log);
}

/**
 * How many frames a log with this salt must have according to the index. Infinity when the index speaks of a later log whose frames are not
 * all in the database.
 */
function framesExpected(indexed: IndexedLog | undefined, salt: Buffer, isSameBoot: boolean): number {
  if (indexed === undefined) return 0;
  if (indexed.salt.equals(salt)) return isSameBoot ? indexed.frames : 0;
  // The log was begun again after this state of the index. SQLite begins a log again only when all its frames are in the database.
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
