import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SnapshotKey } from '../../adapters/snapshots/snapshot-key.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { configuredKeys } from '../open-snapshots.ts';

/** Keys that may stand in files of their own: two readings of the same settings can differ. */
export interface KeyMaterial {
  /** Of `dataProtection`; empty when it names none. */
  readonly dataKeys: readonly SnapshotKey[];
  /** What stands in `auth.jwt.publicKeyFile`, whatever it is; undefined when there is nothing to read. */
  readonly publicKey: string | undefined;
}

/**
 * Reads the keys as they are now.
 * @throws StartupFaults when the key file of `dataProtection` cannot be used.
 */
export async function readKeyMaterial(settings: HelperSettings): Promise<KeyMaterial> {
  const file = settings.auth.jwt?.publicKeyFile ?? null;
  // Whoever checks tokens with the file says what is wrong with it.
  const publicKey = file === null ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  return { dataKeys: await configuredKeys(settings), publicKey };
}

/** The settings whose keys differ. */
export function renewedKeys(before: KeyMaterial, after: KeyMaterial): readonly string[] {
  return [
    ...(before.publicKey === after.publicKey ? [] : ['auth.jwt.publicKeyFile']),
    ...(isDeepStrictEqual(before.dataKeys, after.dataKeys) ? [] : ['dataProtection.keys']),
  ];
}

/** The files whose change may be a changed secret. None where the configuration is an object, which nobody can read again. */
export function filesOfSecrets({ configFile, secretFiles, auth, dataProtection }: HelperSettings): readonly string[] {
  if (!isAbsolute(configFile)) return [];
  const own = [auth.jwt?.publicKeyFile, dataProtection.keyFile].filter((file) => file !== null && file !== undefined);
  return [...new Set([...secretFiles, ...own])];
}
