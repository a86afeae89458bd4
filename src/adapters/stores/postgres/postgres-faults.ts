import { codeOf } from '../embedded/worker/fault-of.ts';
import { StorageFailed } from '../storage-failed.ts';

/** A statement changed another number of rows than it must. */
export class Refused extends Error {}

/** Whether what is stored forbids the change. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Refused || (error instanceof Error && codeOf(error).startsWith('23') && 'severity' in error);
}

/** Whether other changes at the same time were in the way, so that the same change may be made now. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/**
 * Whether a connection is of no use any more. A server that has become a standby takes no changes. The next connection may lead to
 * another server.
 */
export function isOfTheConnection(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Refused) return false;
  const code = codeOf(error);
  return !('severity' in error) || /^(?:08|57P|58|25006|XX)/.test(code);
}

/** What the stores are told of a failed database. The message names no address and no password. */
export function storageFailed(error: unknown): StorageFailed {
  const message = messageOf(error);
  return Object.assign(new StorageFailed(codeOf(error), message), { cause: error });
}

/** A connection that fails at several addresses has a message only in its parts. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** What to do about a fault, by its code. A code of PostgreSQL counts by its class, or whole. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'Start PostgreSQL there, or correct the host and the port.'],
  ['ENOTFOUND', 'Correct the host name.'],
  ['EAI_AGAIN', 'Correct the host name, or check the name server.'],
  ['ENOENT', 'There is no socket of PostgreSQL in that folder: start PostgreSQL, or correct the folder.'],
  ['28', 'Correct the user and the password.'],
  ['3D', 'Create the database, or correct its name.'],
  ['42501', 'Give the user the right to create tables in the schema, or choose a schema of its own.'],
  ['25006', 'The server takes no changes: give the address of the primary server.'],
  ['53300', 'The server has no connection left: raise max_connections there, or lower storage.maxConnections.'],
  ['53', 'The server is out of disk space or memory.'],
  ['SERVER_RUNS', 'Stop that one, or give each server its own database.'],
  ['SCHEMA_NEWER', 'Start that newer version, or set storage.url to another database.'],
]);

/** One sentence for the operator: why the database cannot be used, and what to do. */
export function describePostgresFault(error: unknown): string {
  const code = codeOf(error);
  const advice = adviceByCode.get(code) ?? adviceByCode.get(code.slice(0, 2));
  const reason = messageOf(error).replace(/\.$/, '');
  return `storage.url: the database cannot be used: ${reason}.${advice === undefined ? '' : ` ${advice}`}`;
}
