import { findPackageJSON, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/** What plugins import, and the name under which the package is installed. */
const ownNames: ReadonlySet<string> = new Set(['helper', 'helper-server']);
const nodeModules = '/node_modules/';

/** The real folders of plugins, as file URLs with a slash at the end. */
const pluginFolders = new Set<string>();
let registered = false;

/**
 * Makes `import … from 'helper'` in plugins mean this running server, whether or not they have a `package.json` or `node_modules` of their
 * own (contract/plugins.md#plugins). `helper-server` means the same, so that the package that a project installs is no second copy. The paths in `folders` have no symbolic links. The process has one hook, which stays, because a plugin
 * may import at any time. A package inside `node_modules` that means another `helper` keeps its own.
 */
export function resolveOwnPackage(folders: readonly string[]): void {
  for (const folder of folders) pluginFolders.add(`${pathToFileURL(folder).href}/`);
  if (registered) return;
  registered = true;
  const url = ownEntry();
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      ownNames.has(specifier) && isPluginModule(context.parentURL)
        ? { url, shortCircuit: true }
        : nextResolve(specifier, context),
  });
}

function isPluginModule(parentUrl: string | undefined): boolean {
  if (parentUrl === undefined) return false;
  for (const folder of pluginFolders) {
    // A plugin may itself be installed in a `node_modules` folder, so only the path from the plugin to the module counts.
    if (parentUrl.startsWith(folder)) return !parentUrl.slice(folder.length - 1).includes(nodeModules);
  }
  return !parentUrl.includes(nodeModules);
}

/**
 * The entry `.` of this package in the running copy. Under Node this is the source, in a build the bundle. It does not matter which chunk
 * this code is in.
 */
function ownEntry(): string {
  const packageFile = findPackageJSON(import.meta.url);
  if (packageFile === undefined) throw new Error('the package.json of the server is missing beside its code');
  const entry = import.meta.url.endsWith('.ts') ? 'src/index.ts' : 'dist/index.js';
  return new URL(entry, pathToFileURL(packageFile)).href;
}
