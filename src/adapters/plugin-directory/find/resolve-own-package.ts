import { findPackageJSON, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const packageName = 'helper';
const nodeModules = '/node_modules/';

/** Real folders of plugins, as file URLs with a slash at the end. */
const pluginFolders = new Set<string>();
let registered = false;

/**
 * Makes `import … from 'helper'` in plugins mean this running server, whether or not they have a `package.json` or
 * `node_modules` of their own (contract/plugins.md#plugins). `folders` hold no symbolic links. The hook is one for the process and stays, because a plugin may import
 * at any time. A package inside somebody's `node_modules` that means another `helper` keeps its own.
 */
export function resolveOwnPackage(folders: readonly string[]): void {
  for (const folder of folders) pluginFolders.add(`${pathToFileURL(folder).href}/`);
  if (registered) return;
  registered = true;
  const url = ownEntry();
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === packageName && isPluginModule(context.parentURL)
        ? { url, shortCircuit: true }
        : nextResolve(specifier, context),
  });
}

function isPluginModule(parentUrl: string | undefined): boolean {
  if (parentUrl === undefined) return false;
  for (const folder of pluginFolders) {
    // A plugin may itself be installed in a node_modules folder: what counts is the way from the plugin to the module.
    if (parentUrl.startsWith(folder)) return !parentUrl.slice(folder.length - 1).includes(nodeModules);
  }
  return !parentUrl.includes(nodeModules);
}

/** The package's `.` of the copy that runs: its sources under Node, its bundle when built, whatever chunk this is in. */
function ownEntry(): string {
  const packageFile = findPackageJSON(import.meta.url);
  if (packageFile === undefined) throw new Error('the package.json of the server is missing beside its code');
  const entry = import.meta.url.endsWith('.ts') ? 'src/index.ts' : 'dist/index.js';
  return new URL(entry, pathToFileURL(packageFile)).href;
}
