import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { storageFiles } from '../../../src/adapters/stores/embedded/storage-files.ts';
import { checkLog } from '../../../src/adapters/stores/embedded/worker/check-log.ts';

/** The files of a database at some moment. */
interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
  /** Left out when the file does not exist. */
  readonly logIndex?: Buffer;
}

const logHeaderBytes = 32;
const frameHeaderBytes = 24;
const frameBytes = frameHeaderBytes + 4096;

const folder = mkdtempSync(join(tmpdir(), 'helper-log-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function put({ database, log, logIndex }: Files) {
  const files = storageFiles(mkdtempSync(join(folder, 'files-')));
  writeFileSync(files.database, database);
  writeFileSync(files.log, log);
  if (logIndex !== undefined) writeFileSync(files.logIndex, logIndex);
  return files;
}

/** The files that SQLite leaves when its process dies after `changes`. Without `before` the database is empty at first. */
function after(changes: (database: Database) => void, before?: Files): Required<Files> {
  const files = put(before ?? { database: Buffer.alloc(0), log: Buffer.alloc(0) });
  const database = new SqliteDatabase(files.database);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('wal_autocheckpoint = 0');
    changes(database);
    return {
      database: readFileSync(files.database),
      log: readFileSync(files.log),
      logIndex: readFileSync(files.logIndex),
    };
  } finally {
    database.close();
  }
}

/** One commit of `rows` rows; each row takes a page or two. */
const commit = (database: Database, rows: number): void => {
  const insert = database.prepare('insert into entries (text) values (?)');
  database.transaction(() => {
    for (let row = 0; row < rows; row += 1) insert.run('x'.repeat(3_000));
  })();
};

/** One commit of one frame. */
const touch = (database: Database, version: number): void => {
  database.pragma(`user_version = ${String(version)}`);
};

/** A log of one commit. */
const first = after((database) => {
  database.exec('create table entries (text text)');
});

/** The same log with four rows. */
const begun = after((database) => {
  for (let round = 0; round < 4; round += 1) commit(database, 1);
}, first);

/** The number of rows and the version that SQLite finds in these files. */
function found(files: Files): { readonly rows: number; readonly version: number; readonly integrity: string } {
  const database = new SqliteDatabase(put(files).database);
  const read = (sql: string): unknown => database.prepare(sql).pluck().get();
  try {
    const integrity = String(read('pragma integrity_check'));
    return {
      rows: Number(read('select count(*) from entries')),
      version: Number(read('pragma user_version')),
      integrity,
    };
  } finally {
    database.close();
  }
}

const check = (files: Files): void => {
  checkLog(put(files));
};

const framesOf = (log: Buffer): number => (log.length - logHeaderBytes) / frameBytes;
const frameAt = (index: number): number => logHeaderBytes + (index - 1) * frameBytes;
const withoutIndex = ({ database, log }: Files): Files => ({ database, log });

/** The log `below` after the log `above` was written over its beginning. The rest of a longer `below` stays. */
const over = (below: Buffer, above: Buffer): Buffer => Buffer.concat([above, below.subarray(above.length)]);

function flipped(log: Buffer, at: number): Buffer {
  const damaged = Buffer.from(log);
  damaged.writeUInt8((damaged[at] ?? 0) ^ 1, at);
  return damaged;
}

describe('a log that has lost its last commits in a power cut (contract/restarts.md)', () => {
  const later = after((database) => touch(database, 7), begun);
  const lost = { ...later, log: later.log.subarray(0, begun.log.length) };

  it('counts as damaged on a machine that has not started again since', () => {
    expect(() => check(lost)).toThrow('damaged or missing');
  });

  it('is used on one that has: the index of commits that are synced later may be newer', () => {
    checkLog(put(lost), false);
    expect(found(lost)).toMatchObject({ rows: 4, integrity: 'ok' });
  });

  it('counts as damaged there too where it is gone', () => {
    expect(() => {
      checkLog(put({ ...later, log: Buffer.alloc(0) }), false);
    }).toThrow('damaged or missing');
  });
});

describe('a log whose last commits a failing disk did not take (contract/restarts.md)', () => {
  /** Each attempt begins after the last successful commit and overwrites the attempt before it. */
  const attempts = (...rows: readonly number[]): Buffer =>
    rows
      .map((count) => after((database) => commit(database, count), begun).log)
      .reduce((below, above) => over(below, above));

  it.each(['with', 'without'])(
    'starts behind one attempt that was longer than what succeeded, %s its index',
    (index) => {
      const succeeded = after((database) => touch(database, 7), begun);
      const left = { ...succeeded, log: over(attempts(6), succeeded.log) };
      expect(framesOf(left.log)).toBeGreaterThan(framesOf(succeeded.log) + 1);
      const files = index === 'with' ? left : withoutIndex(left);
      check(files);
      expect(found(files)).toEqual({ rows: 4, version: 7, integrity: 'ok' });
    },
  );

  it.each(['with', 'without'])(
    'starts behind attempts of which each was shorter than the last, %s its index',
    (index) => {
      const left = { ...begun, log: attempts(12, 8, 4) };
      const files = index === 'with' ? left : withoutIndex(left);
      check(files);
      // Nobody was told whether the last attempt has succeeded, so its rows may be there.
      expect(found(files)).toEqual({ rows: 8, version: 0, integrity: 'ok' });
    },
  );

  it.each(['with', 'without'])('starts behind an attempt of which a part is missing, %s its index', (index) => {
    const log = attempts(12, 8, 4);
    log.fill(0, begun.log.length, begun.log.length + 2_000);
    const files = index === 'with' ? { ...begun, log } : withoutIndex({ ...begun, log });
    check(files);
    expect(found(files)).toEqual({ rows: 4, version: 0, integrity: 'ok' });
  });
});

describe('a log that was damaged after it was on the disk (contract/restarts.md)', () => {
  const isDamaged = /is damaged or missing/;
  /** Commits of some frames, then commits of one. */
  const late = after((database) => {
    for (let round = 1; round <= 5; round += 1) touch(database, round);
  }, begun);
  const middle = framesOf(begun.log) - 1;
  const single = framesOf(begun.log) + 2;
  const zeroed = (log: Buffer, from: number, to: number): Buffer => Buffer.from(log).fill(0, from, to);
  const damages: readonly (readonly [string, Buffer])[] = [
    ['a flipped bit in a page', flipped(late.log, frameAt(middle) + 1_000)],
    ['a flipped bit in the page of a commit of one frame', flipped(late.log, frameAt(single) + 1_000)],
    ['a flipped bit in a checksum', flipped(late.log, frameAt(middle) + 20)],
    ['a flipped bit in the checksum of a commit of one frame', flipped(late.log, frameAt(single) + 20)],
    ['a flipped bit in a salt', flipped(late.log, frameAt(middle) + 8)],
    ['a flipped bit in the number of a page', flipped(late.log, frameAt(middle) + 3)],
    ['a flipped bit in the mark of a commit', flipped(late.log, frameAt(single) + 7)],
    ['zeros in place of a frame', zeroed(late.log, frameAt(middle), frameAt(middle + 1))],
    ['zeros in place of some frames', zeroed(late.log, frameAt(middle - 1), frameAt(middle + 2))],
    ['two flipped bits', flipped(flipped(late.log, frameAt(2) + 100), frameAt(middle) + 100)],
  ];

  it.each(damages)('is refused with its index: %s', (_damage, log) => {
    expect(() => check({ ...late, log })).toThrow(isDamaged);
  });

  it.each(damages)('is refused with an index from before, as a power cut leaves it: %s', (_damage, log) => {
    expect(() => check({ ...late, log, logIndex: first.logIndex })).toThrow(isDamaged);
  });

  it.each(damages)('is refused without its index: %s', (_damage, log) => {
    expect(() => check(withoutIndex({ ...late, log }))).toThrow(isDamaged);
  });

  it.each([
    ['cut', late.log.subarray(0, frameAt(single))],
    ['with zeros at its end', zeroed(late.log, frameAt(single), late.log.length)],
    ['damaged in its last commit', flipped(late.log, late.log.length - 1)],
  ])('is refused with its index: %s', (_damage, log) => {
    expect(() => check({ ...late, log })).toThrow(isDamaged);
  });

  it('that is damaged in its last commit and has no index is taken for one that a crash cut short', () => {
    const files = withoutIndex({ ...late, log: flipped(late.log, late.log.length - 1) });
    check(files);
    expect(found(files)).toEqual({ rows: 4, version: 4, integrity: 'ok' });
  });
});

describe('a log whose commits are in the database already (contract/restarts.md)', () => {
  const moved = after((database) => {
    for (let round = 0; round < 4; round += 1) commit(database, 3);
    database.pragma('wal_checkpoint(PASSIVE)');
  }, begun);

  const inside = framesOf(begun.log) + 3;
  it.each([
    ['damaged', flipped(moved.log, frameAt(inside))],
    ['cut', moved.log.subarray(0, frameAt(inside))],
  ])('is refused when it is %s: its older pages would hide newer ones of the database', (_how, log) => {
    expect(found({ ...moved, log })).not.toEqual(found(moved));
    expect(() => {
      check({ ...moved, log });
    }).toThrow('is damaged or missing');
  });

  it.each([
    ['gone', Buffer.alloc(0)],
    ['of zeros', Buffer.alloc(moved.log.length)],
  ])('is not missed when it is %s', (_how, log) => {
    check({ ...moved, log });
    expect(found({ ...moved, log })).toEqual({ rows: 16, version: 0, integrity: 'ok' });
  });

  const again = after((database) => {
    touch(database, 1);
    database.pragma('wal_checkpoint(RESTART)');
    touch(database, 2);
  }, begun);

  it('and that was begun again since starts with an index from before, as a power cut leaves it', () => {
    const files = { ...again, logIndex: begun.logIndex };
    check(files);
    expect(found(files)).toEqual({ rows: 4, version: 2, integrity: 'ok' });
  });

  it('is refused in the place of the one that was begun since', () => {
    expect(() => {
      check({ ...again, log: begun.log });
    }).toThrow('is damaged or missing');
  });
});
