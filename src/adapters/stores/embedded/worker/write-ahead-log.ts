/*
 * The format of SQLite's write-ahead log (https://sqlite.org/fileformat2.html#walformat) and of its index
 * (https://sqlite.org/walformat.html), as far as it is needed to find out what was committed.
 */

const logHeaderBytes = 32;
const frameHeaderBytes = 24;
const indexHeaderBytes = 48;

type Checksum = readonly [number, number];

/** The header of a log. */
export interface LogHeader {
  readonly pageSize: number;
  readonly bigEndian: boolean;
  readonly salt: Buffer;
  readonly checksum: Checksum;
}

/** What can be learned from all frames of a log. */
export interface LogFrames {
  /** The number of frames that SQLite will read: all frames up to the last commit before the first bad frame. */
  readonly valid: number;
  /** Whether a later frame of the same log was built on a commit that is at or behind the first bad frame. */
  readonly goesOn: boolean;
}

/** What the index says about its log. */
export interface IndexedLog {
  readonly salt: Buffer;
  /** The number of frames that were committed. */
  readonly frames: number;
  /** How many of these frames are in the database and on the disk there. */
  readonly inDatabase: number;
}

/** Whether anything of a log was ever on the disk. */
export function isLogBegun(log: Buffer): boolean {
  return log.length > logHeaderBytes && log.subarray(0, logHeaderBytes).some((byte) => byte !== 0);
}

/** Undefined: the header is damaged, and SQLite will read nothing of the log. */
export function readLogHeader(log: Buffer): LogHeader | undefined {
  if (log.length < logHeaderBytes) return undefined;
  const magic = log.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return undefined;
  const bigEndian = magic === 0x377f0683;
  const checksum = addUp(log.subarray(0, 24), bigEndian, [0, 0]);
  if (checksum[0] !== log.readUInt32BE(24) || checksum[1] !== log.readUInt32BE(28)) return undefined;
  return { pageSize: log.readUInt32BE(8), bigEndian, salt: log.subarray(16, 24), checksum };
}

/**
 * Reads all frames. The checksum of a frame continues the checksum that is stored in the frame before it. So a frame shows by itself
 * whether it was written behind that one, even when the log before both frames is damaged.
 */
export function readFrames(log: Buffer, header: LogHeader): LogFrames {
  const frameBytes = frameHeaderBytes + header.pageSize;
  let before = header.checksum;
  let valid = 0;
  let isWhole = true;
  let isBehindCommit = false;
  let goesOn = false;
  for (let index = 0; logHeaderBytes + (index + 1) * frameBytes <= log.length; index += 1) {
    const frame = log.subarray(logHeaderBytes + index * frameBytes, logHeaderBytes + (index + 1) * frameBytes);
    const stored: Checksum = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    // Frames with another salt were written before the log was begun again.
    const isOurs = frame.subarray(8, 16).equals(header.salt);
    const isCommit = frame.readUInt32BE(4) !== 0;
    const followsOn = isOurs && isSame(checksumOf(frame, header.bigEndian, before), stored);
    isWhole &&= followsOn;
    if (isWhole && isCommit) valid = index + 1;
    goesOn ||= followsOn && isBehindCommit;
    isBehindCommit = !isWhole && isOurs && isCommit;
    before = stored;
  }
  return { valid, goesOn };
}

/** Undefined when the index is not there, or says nothing of a log. */
export function readIndex(index: Buffer): IndexedLog | undefined {
  if (index.length < 2 * indexHeaderBytes + 4) return undefined;
  const header = index.subarray(0, indexHeaderBytes);
  if (!header.equals(index.subarray(indexHeaderBytes, 2 * indexHeaderBytes)) || header[12] !== 1) return undefined;
  const checksum = addUp(header.subarray(0, 40), false, [0, 0]);
  if (!isSame(checksum, [header.readUInt32LE(40), header.readUInt32LE(44)])) return undefined;
  const inDatabase = index.readUInt32LE(2 * indexHeaderBytes);
  return { salt: header.subarray(32, 40), frames: header.readUInt32LE(16), inDatabase };
}

/** Whether the log with the salt `one` was begun after the log with the salt `other`. The first half of the salt counts the logs. */
export function isLater(one: Buffer, other: Buffer): boolean {
  const times = (one.readUInt32BE(0) - other.readUInt32BE(0)) >>> 0;
  return times > 0 && times < 0x80000000;
}

function checksumOf(frame: Buffer, bigEndian: boolean, before: Checksum): Checksum {
  return addUp(frame.subarray(frameHeaderBytes), bigEndian, addUp(frame.subarray(0, 8), bigEndian, before));
}

function isSame(one: Checksum, other: Checksum): boolean {
  return one[0] === other[0] && one[1] === other[1];
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
