import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSnapshotKey, type SnapshotKey } from './snapshot-key.ts';

/** The file of the keys for a `storage.path` whose configuration names no keys. */
export function keyFileOf(folder: string): string {
  return join(folder, 'keys.json');
}

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
 * The keys in `folder`. When there are none yet, they are made for the server's own user only. Two servers that start at the same time get
 * the same keys.
 * @throws Error with the code STORAGE_UNUSABLE when the keys can be neither read nor made.
 */
export async function keptKeys(folder: string): Promise<readonly SnapshotKey[]> {
  const file = keyFileOf(folder);
  try {
    if (!(await exists(file))) await makeKeyFile(folder, file);
    return await readKeyFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fault = new Error(`storage.path: no key for saved conversations: ${reason}.`, { cause: error });
    throw Object.assign(fault, { code: 'STORAGE_UNUSABLE' });
  }
}

/**
 * The keys that a server has made in `folder`; none where its configuration named keys.
 * @throws Error that says what is wrong with their file.
 */
export async function keptKeysIn(folder: string): Promise<readonly SnapshotKey[]> {
  const file = keyFileOf(folder);
  return (await exists(file)) ? readKeyFile(file) : [];
}

/**
 * Adds the keys in the text of a key file behind the keys of `file`. Makes `file` when it is missing.
 * @throws Error that says what is wrong with one of them, and shows nothing of it.
 */
export async function mergeKeyFiles(file: string, added: string): Promise<void> {
  const texts = (await exists(file)) ? [await readFile(file, 'utf8'), added] : [added];
  if (texts.some((text) => keysIn(text) === undefined)) throw new Error(`${file} or what is added to it are no keys`);
  const keys = new Set(texts.flatMap(textsIn));
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writePrivately(draft, keys);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes a draft beside the file and links it to its place, so that the file is there as a whole or not at all. */
async function makeKeyFile(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writePrivately(draft, [randomBytes(32).toString('base64')]);
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

async function writePrivately(file: string, keys: Iterable<string>): Promise<void> {
  await writeFile(file, `${JSON.stringify({ keys: [...keys] })}\n`, { flag: 'wx', mode: 0o600, flush: true });
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
    const texts = textsIn(text);
    return texts.length === 0 ? undefined : texts.map((key) => readSnapshotKey(key));
  } catch {
    return undefined; // the reason may quote the file, and with it a key
  }
}

/** The keys in the text of a key file, in their written form. */
function textsIn(text: string): readonly string[] {
  const content: unknown = JSON.parse(text);
  const isList = typeof content === 'object' && content !== null && 'keys' in content && Array.isArray(content.keys);
  if (!isList) throw new Error('a file of keys must be {"keys": […]}');
  return (content.keys as unknown[]).map(String); // the line before has checked that it is a list
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
