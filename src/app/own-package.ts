import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The name under which this package is installed. Nobody else has it, unlike that of its command, `helper`. */
export const packageName = 'helper-server';

/** The folder of the built widget. */
export function widgetDirectory(): string {
  return packageFile('dist/widget/');
}

/** A file of this package. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(path, packageUrl()));
}

/** The folder of the built dashboard. */
export function dashboardDirectory(): string {
  return fileURLToPath(new URL('dist/dashboard/', packageUrl()));
}

/** The version of this package. */
export function packageVersion(): string {
  const content: unknown = JSON.parse(readFileSync(packageUrl(), 'utf8'));
  const version = typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return String(version);
}

function packageUrl(): URL {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error('the package.json of the server is missing beside its code');
  return pathToFileURL(file);
}
