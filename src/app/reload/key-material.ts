import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SnapshotKey } from '../../adapters/snapshots/snapshot-key.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { tokenEntries } from '../../config/token-issuers.ts';
import { configuredKeys } from '../open-snapshots.ts';

/** The keys that may be in separate files. Two readings of the same settings can therefore give different keys. */
export interface KeyMaterial {
  /** The keys of `dataProtection`; empty when it names none. */
  readonly dataKeys: readonly SnapshotKey[];
  /** The content of each `publicKeyFile` of `auth.jwt`, valid or not; undefined when there is no such file. */
  readonly publicKeys: readonly (string | undefined)[];
}

/**
 * Reads the keys as they are now.
 * @throws StartupFaults when the key file of `dataProtection` cannot be used.
 */
export async function readKeyMaterial(settings: HelperSettings): Promise<KeyMaterial> {
  // A fault of the file is reported by the code that checks tokens with it.
  const publicKeys = await Promise.all(
    publicKeyFiles(settings.auth).map((file) => readFile(file, 'utf8').catch(() => undefined)),
  );
  return { dataKeys: await configuredKeys(settings), publicKeys };
}

function publicKeyFiles(auth: HelperSettings['auth']): readonly string[] {
  return tokenEntries(auth).flatMap(({ settings }) => settings.publicKeyFile ?? []);
}

/** The paths of the settings whose keys differ. */
export function renewedKeys(before: KeyMaterial, after: KeyMaterial): readonly string[] {
  return [
    ...(isDeepStrictEqual(before.publicKeys, after.publicKeys) ? [] : ['auth.jwt.publicKeyFile']),
    ...(isDeepStrictEqual(before.dataKeys, after.dataKeys) ? [] : ['dataProtection.keys']),
  ];
}

/** The files that hold secrets. There are none when the configuration is an object, because an object cannot be read again. */
export function filesOfSecrets({ configFile, secretFiles, auth, dataProtection }: HelperSettings): readonly string[] {
  if (!isAbsolute(configFile)) return [];
  const own = [...publicKeyFiles(auth), ...[dataProtection.keyFile ?? []].flat()];
  return [...new Set([...secretFiles, ...own])];
}
