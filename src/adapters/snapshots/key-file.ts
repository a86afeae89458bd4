import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readSnapshotKey, type SnapshotKey } from './snapshot-key.ts';

const keyFileName = 'keys.json';

/**
 * The keys of a file `{"keys": ["…"]}`.
 * @throws Error that says what is wrong with the file, and shows nothing of it.
 */
export async function readKeyFile(file: string): Promise<readonly SnapshotKey[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`the file ${file} cannot be read`, { cause: error });
  });
  const keys = keysIn(text);
  if (keys === undefined) throw new Error(`the file ${file} must be {"keys": […]} with keys of 32 bytes in base64`);
  return keys;
}

/**
 * The keys kept in `folder`; made there when there are none yet, for the server's own user alone. Two servers that start
 * at once get the same.
 * @throws Error with the code STORAGE_UNUSABLE when they can be neither read nor made.
 */
export async function keptKeys(folder: string): Promise<readonly SnapshotKey[]> {
  const file = join(folder, keyFileName);
  try {
    if (!(await exists(file))) await makeKeyFile(folder, file);
    return await readKeyFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fault = new Error(`storage.path: no key for saved conversations: ${reason}.`, { cause: error });
    throw Object.assign(fault, { code: 'STORAGE_UNUSABLE' });
  }
}

/** Written beside its place first and then linked there, so that it is there whole or not at all. */
async function makeKeyFile(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ keys: [randomBytes(32).toString('base64')] })}\n`);
    await handle.sync();
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  await handle?.close();
  return handle !== undefined;
}

function keysIn(text: string): readonly SnapshotKey[] | undefined {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content !== 'object' || content === null || !('keys' in content)) return undefined;
    if (!Array.isArray(content.keys) || content.keys.length === 0) return undefined;
    return content.keys.map((key) => readSnapshotKey(String(key)));
  } catch {
    return undefined; // the reason may quote the file, and with it a key
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
