import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAsset, type ServedFile } from '../shared/served-file.ts';

/** The built dashboard, read once. */
export interface DashboardFiles {
  /** The page, before the server's values are filled in. */
  readonly page: string;
  /** The files whose names contain a hash of their content. */
  readonly assets: ReadonlyMap<string, ServedFile>;
}

/**
 * Reads what `npm run build` has made of the dashboard.
 * @throws Error that says what to do, when it was not built.
 */
export function readDashboardFiles(directory: string): DashboardFiles {
  const manifestFile = join(directory, 'manifest.json');
  if (!existsSync(manifestFile)) {
    throw new Error(`The dashboard is not built: ${manifestFile} is missing. Run "npm run build" first.`);
  }
  const manifest: unknown = JSON.parse(readFileSync(manifestFile, 'utf8'));
  // Written by scripts/build-dashboard.ts in the same build as this server.
  const { page, assets } = manifest as { readonly page: string; readonly assets: readonly string[] };
  return {
    page: readFileSync(join(directory, page), 'utf8'),
    assets: new Map(assets.map((name) => [name, readAsset(directory, name)])),
  };
}
