/** What to do about a fault, by its code. A code of SQLite counts up to its second underscore. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'Make the folder writable for the user this server runs as, or set storage.path to another folder.'],
  ['EPERM', 'Make the folder writable for the user this server runs as, or set storage.path to another folder.'],
  ['EROFS', 'The file system is read-only: mount a writable volume there, or set storage.path to another folder.'],
  ['ENOTDIR', 'A part of the path is a file: set storage.path to a folder.'],
  ['EEXIST', 'There is a file of that name: set storage.path to a folder.'],
  ['ENOSPC', 'The disk is full: make room, or set storage.path to another disk.'],
  ['SQLITE_NOTADB', 'The file is no database: move it away, and a new one is created at the next start.'],
  ['SQLITE_CORRUPT', 'The file is damaged: restore it from a backup, or move it away to start with an empty one.'],
  [
    'SQLITE_READONLY',
    'Make the file writable for the user this server runs as, or set storage.path to another folder.',
  ],
  [
    'SQLITE_CANTOPEN',
    'Make the folder writable for the user this server runs as, or set storage.path to another folder.',
  ],
  ['SQLITE_BUSY', 'Another process is using it: stop that one, or give each server its own storage.path.'],
  ['FOLDER_IN_USE', 'Stop that one, or give each server its own storage.path.'],
  [
    'DATABASE_EMPTIED',
    'Restore it from a backup, or move helper.db and the files beside it away: a new database is begun at the next start.',
  ],
  ['DATABASE_MISSING', 'Put the database back, or move its log away: a new database is begun at the next start.'],
  [
    'LOG_DAMAGED',
    'Restore the folder from a backup, or move helper.db-wal and helper.db-shm away: what was stored last is then lost.',
  ],
  ['SQLITE_FULL', 'The disk is full: make room, or set storage.path to another disk.'],
  ['SQLITE_IOERR', 'The disk answered with an error: check it, and avoid network file systems for storage.path.'],
]);

/** One sentence for the operator: what could not be opened, why, and what to do. */
export function describeStorageFault(
  error: unknown,
  place: { readonly folder: string; readonly database: string },
): string {
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  const isOfSqlite = code.startsWith('SQLITE');
  const advice = adviceByCode.get(isOfSqlite ? code.split('_').slice(0, 2).join('_') : code);
  const subject = isOfSqlite ? place.database : place.folder;
  return `storage.path: ${subject} cannot be used: ${reason}.${advice === undefined ? '' : ` ${advice}`}`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
