import { readFileSync } from 'node:fs';
import type { StorageFiles } from '../storage-files.ts';
import { StorageFault } from './fault-of.ts';

const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** What the header of SQLite's write-ahead log says (https://sqlite.org/fileformat2.html#walformat). */
interface LogHeader {
  readonly pageSize: number;
  readonly bigEndian: boolean;
  /** Eight bytes that every frame of this log repeats. */
  readonly salt: Buffer;
  readonly checksum: Checksum;
}

type Checksum = readonly [number, number];

/**
 * SQLite takes a damaged write-ahead log for one that ends at the damage, and forgets what was committed behind it. So
 * what a crash left is looked through before SQLite opens it. A last commit that is there only in part is no damage: the
 * crash came before it was acknowledged.
 * @throws StorageFault LOG_DAMAGED when something that was acknowledged is not in the log any more.
 */
export function checkLog(files: StorageFiles): void {
  const log = readIfThere(files.log);
  const expected = framesByIndex(readIfThere(files.logIndex));
  // Without a header on the disk, nothing of this log was ever acknowledged.
  const isBegun = log.length > logHeaderBytes && log.subarray(0, logHeaderBytes).some((byte) => byte !== 0);
  if (!isBegun && expected === undefined) return;
  const header = readLogHeader(log);
  if (header === undefined) throw damaged(files.log);
  const { valid, commitsBehind } = readFrames(log, header);
  if (expected !== undefined) {
    if (!expected.salt.equals(header.salt) || valid < expected.frames) throw damaged(files.log);
    // Behind what the index knows stand commits that a failing disk did not take: nobody was told of them.
    return;
  }
  // Two commits behind a bad frame: the first was on the disk before the second was written, and with it the bad frame.
  if (commitsBehind > 1) throw damaged(files.log);
}

function damaged(log: string): StorageFault {
  return new StorageFault('LOG_DAMAGED', `its write-ahead log ${log} is damaged or missing`);
}

function readLogHeader(log: Buffer): LogHeader | undefined {
  if (log.length < logHeaderBytes) return undefined;
  const magic = log.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return undefined;
  const bigEndian = magic === 0x377f0683;
  const checksum = addUp(log.subarray(0, 24), bigEndian, [0, 0]);
  if (checksum[0] !== log.readUInt32BE(24) || checksum[1] !== log.readUInt32BE(28)) return undefined;
  return { pageSize: log.readUInt32BE(8), bigEndian, salt: log.subarray(16, 24), checksum };
}

/** How many frames are whole up to the last commit, and how many commits of this log stand behind the first bad frame. */
function readFrames(log: Buffer, header: LogHeader): { readonly valid: number; readonly commitsBehind: number } {
  const frameBytes = frameHeaderBytes + header.pageSize;
  let checksum = header.checksum;
  let valid = 0;
  let commitsBehind = 0;
  let isWhole = true;
  for (let index = 0; logHeaderBytes + (index + 1) * frameBytes <= log.length; index += 1) {
    const frame = log.subarray(logHeaderBytes + index * frameBytes, logHeaderBytes + (index + 1) * frameBytes);
    // Frames with another salt are left from before the log was begun again.
    const isOurs = frame.subarray(8, 16).equals(header.salt);
    const isCommit = frame.readUInt32BE(4) !== 0;
    if (isWhole && isOurs) {
      checksum = addUp(frame.subarray(0, 8), header.bigEndian, checksum);
      checksum = addUp(frame.subarray(frameHeaderBytes), header.bigEndian, checksum);
    }
    isWhole &&= isOurs && checksum[0] === frame.readUInt32BE(16) && checksum[1] === frame.readUInt32BE(20);
    if (isWhole && isCommit) valid = index + 1;
    else if (!isWhole && isOurs && isCommit) commitsBehind += 1;
  }
  return { valid, commitsBehind };
}

/**
 * What the index says was committed and is not in the database yet. It is written after the log is on the disk, so what it
 * says holds, even when the crash left an old state of it. Undefined when it says nothing.
 */
function framesByIndex(index: Buffer): { readonly frames: number; readonly salt: Buffer } | undefined {
  const headerBytes = 48;
  if (index.length < 2 * headerBytes + 4) return undefined;
  const header = index.subarray(0, headerBytes);
  if (!header.equals(index.subarray(headerBytes, 2 * headerBytes)) || header[12] !== 1) return undefined;
  const checksum = addUp(header.subarray(0, 40), false, [0, 0]);
  if (checksum[0] !== header.readUInt32LE(40) || checksum[1] !== header.readUInt32LE(44)) return undefined;
  const frames = header.readUInt32LE(16);
  const inDatabase = index.readUInt32LE(2 * headerBytes);
  return frames > inDatabase ? { frames, salt: header.subarray(32, 40) } : undefined;
}

/** SQLite's checksum over words of four bytes. */
function addUp(bytes: Buffer, bigEndian: boolean, [first, second]: Checksum): Checksum {
  let one = first;
  let other = second;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + other) >>> 0;
    other = (other + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + one) >>> 0;
  }
  return [one, other];
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
